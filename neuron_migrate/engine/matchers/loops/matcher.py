"""Reads of a tensor's value in loops that train or evaluate: each of them waits for the device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import LoopMatch
from neuron_migrate.engine import receivers
from neuron_migrate.engine.matchers.loops.bodies import evaluating, innermost
from neuron_migrate.engine.matchers.loops.waits import waits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement


class Loops:
    """Matches rules of kind ``in-loop``."""

    nodes = (cst.Call, cst.Decorator)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, LoopMatch)]
        self._hot: dict[Statement, list[tuple[Rule, LoopMatch]]] = {}

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note the loop around a call that trains, and those that evaluate under a block."""
        func = node.func if isinstance(node, cst.Call) else node.decorator  # type: ignore[attr-defined]
        for rule, pattern in self.rules:
            if isinstance(func, cst.Attribute) and func.attr.value in pattern.trains:
                self._note(innermost(here.piece.statement), rule, pattern)
            elif here.path(func) in pattern.evaluates:
                for loop in evaluating(here, pattern):
                    self._note(loop, rule, pattern)

    def finish(self, file: File) -> None:
        """Report what waits in the loops that were found."""
        hot, self._hot = self._hot, {}
        if not receivers.handles_tensors(file):
            return
        for loop, rules in hot.items():
            for rule, pattern in rules:
                for here, node in waits(loop, pattern, file):
                    if not _is_reported(file, here, node):
                        here.report(rule, node)

    def _note(self, loop: Statement | None, rule: Rule, pattern: LoopMatch) -> None:
        if loop is not None and (rule, pattern) not in self._hot.setdefault(loop, []):
            self._hot[loop].append((rule, pattern))


def _is_reported(file: File, here: Here, node: cst.CSTNode) -> bool:
    """True when another rule speaks about the call already."""
    start, end = here.piece.span(node)
    return any(draft.start <= start and end <= draft.end for draft in file.drafts)
