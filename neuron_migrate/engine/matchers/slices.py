"""Slices that rest on how long ``"cuda"`` is: ``device[5:]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import SliceMatch
from neuron_migrate.engine.meaning import Meaning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Slices:
    """Matches rules of kind ``slice``."""

    nodes = (cst.Subscript,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: list[tuple[Rule, SliceMatch, Meaning]] = []
        for rule in rules:
            assert isinstance(rule.match, SliceMatch)
            meaning = Meaning((), frozenset(), frozenset(rule.match.words))
            self.rules.append((rule, rule.match, meaning))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a slice of such a value."""
        assert isinstance(node, cst.Subscript)
        start = _literal_bound(node)
        for rule, pattern, meaning in self.rules:
            if start in pattern.starts and meaning.says(node.value, here):
                here.report(rule, node, not_fixed="the length of the new prefix differs")

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _literal_bound(node: cst.Subscript) -> int | None:
    """N of ``x[N:]`` or ``x[:N]``."""
    inner = node.slice[0].slice if len(node.slice) == 1 else None
    if not isinstance(inner, cst.Slice):
        return None
    bounds = [bound for bound in (inner.lower, inner.upper) if bound is not None]
    if len(bounds) == 1 and isinstance(bounds[0], cst.Integer):
        return bounds[0].evaluated_value
    return None
