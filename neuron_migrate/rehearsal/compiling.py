"""What is compiled once: an operator with its operands in eager mode, a graph of a region."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from neuron_migrate.rehearsal.families import Family, families, numbers, words
from neuron_migrate.rehearsal.lengths import Lengths
from neuron_migrate.rehearse.recording import Operator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from neuron_migrate.rehearse.recording import Line, Recording

Key = tuple[object, ...]
"""What is compiled once."""


class Compiling:
    """What the processes of a program need compiled, and would if their lengths were padded."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self.calls: list[Operator] = []
        """Eager calls and graphs; a graph is an operator with its digest as ``graph``."""
        self.eager: list[Family] = []
        self.graphs: list[Family] = []
        for each in recordings:
            eager = [operator for operator in each.operators if not operator.graph]
            graphs = _graphs(each)
            self.calls += [*eager, *graphs]
            self.eager += families(eager, each.parameters)
            self.graphs += families(graphs)
        self.ordered = all(call.first for call in self.calls)
        found = [*self.eager, *self.graphs]
        self.lengths = Lengths(sizes for family in found for sizes in family.varying.values())
        self._padded = {id(call): key for each in found for call, key in self._keys(each)}

    def later(self, call: Operator) -> Key:
        """What would be compiled for a call if lengths were padded."""
        return self._padded[id(call)]

    def _keys(self, family: Family) -> Iterable[tuple[Operator, Key]]:
        if not family.varying:
            return [(member, now(member)) for member in family.members]
        varying = {spot: self.lengths.padded(sizes) for spot, sizes in family.varying.items()}
        root, met = family.members[0], defaultdict[object, list[str]](list)
        found = []
        for member in family.members:
            padded = tuple(
                varying[spot][size] if spot in varying else size
                for spot, size in numbers(member).items()
            )
            # Graphs that differ although their inputs do not, differ when padded too.
            same = met[member.operands]
            if member.graph not in same:
                same.append(member.graph)
            found.append((member, (*_kind(root), padded, same.index(member.graph))))
        return found


def _graphs(recording: Recording) -> list[Operator]:
    return [
        Operator(each.kind, each.inputs, each.region, each.calls, each.digest, each.first)
        for each in recording.graphs
    ]


def now(call: Operator) -> Key:
    """What is compiled for a call."""
    if call.graph:
        return ("region", call.graph)
    return ("eager", call.name, call.operands, call.attributes)


def _kind(root: Operator) -> Key:
    """What is not a number in what is compiled."""
    if root.graph:
        return ("region", root.graph)
    dtypes = tuple((each.dtype, len(each.shape)) for each in root.operands)
    return ("eager", root.name, dtypes, words(root))


def owners(calls: Iterable[Operator], key: Callable[[Operator], Key]) -> dict[Key, Line]:
    """What is compiled, and the line that needs it first."""
    found: dict[Key, Line] = {}
    for call in calls:
        found.setdefault(key(call), call.line)
    return found


def number(recording: Recording) -> int:
    """How many compilations one process needs."""
    return len({now(call) for call in recording.operators if not call.graph}) + len(
        {graph.digest for graph in recording.graphs}
    )
