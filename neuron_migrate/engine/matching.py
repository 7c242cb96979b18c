"""What a matcher is, and the table that brings nodes to matchers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import libcst as cst

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Matcher(Protocol):
    """One kind of pattern, holding every rule of that kind."""

    @property
    def nodes(self) -> tuple[type[cst.CSTNode], ...]:
        """The kinds of node it wants to see."""

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Look at one node and report."""

    def finish(self, file: File) -> None:
        """Report what only the whole file shows, after every node was seen."""


def dispatch(matchers: Iterable[Matcher]) -> Mapping[type[cst.CSTNode], list[Matcher]]:
    """Which matchers want which kind of node."""
    table: dict[type[cst.CSTNode], list[Matcher]] = {}
    for matcher in matchers:
        for kind in matcher.nodes:
            table.setdefault(kind, []).append(matcher)
    return table
