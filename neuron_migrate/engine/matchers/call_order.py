"""Calls that come too early in their function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import CallOrderMatch
from neuron_migrate.engine.order import follows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement


@dataclass(frozen=True, slots=True)
class _Seen:
    """One call that a rule names."""

    rule: Rule
    call: cst.Call
    here: Here

    @property
    def statement(self) -> Statement:
        return self.here.piece.statement


class CallOrders:
    """Matches rules of kind ``call-order``."""

    nodes = (cst.Call,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.first: dict[str, list[Rule]] = {}
        self.later: dict[str, list[Rule]] = {}
        for rule in rules:
            assert isinstance(rule.match, CallOrderMatch)
            for path in rule.match.functions:
                self.first.setdefault(path, []).append(rule)
            for path in rule.match.after:
                self.later.setdefault(path, []).append(rule)
        self._reset()

    def _reset(self) -> None:
        self.early: list[_Seen] = []
        self.awaited: list[_Seen] = []

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note a call that one of the rules names."""
        assert isinstance(node, cst.Call)
        path = here.path(node.func)
        self.early += [_Seen(rule, node, here) for rule in self.first.get(path, ())]
        self.awaited += [_Seen(rule, node, here) for rule in self.later.get(path, ())]

    def finish(self, file: File) -> None:
        """Report every call that another one of the same function follows."""
        for early in self.early:
            for awaited in self.awaited:
                if awaited.rule is early.rule and follows(awaited.statement, early.statement):
                    line = awaited.statement.start[0]
                    draft = early.here.report(
                        early.rule,
                        early.call.func,
                        f"Move it after line {line}.",
                        not_fixed="moving a statement is a person's decision",
                    )
                    draft.neutral = True
                    break
        self._reset()
