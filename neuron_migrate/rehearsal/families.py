"""Calls that differ only because the program's data did: what varies, and what never does.

A program calls one operator at one line many times in one step, for layers of different sizes.
These do not vary. What a line met when it first ran is its *roots*; what it meets only later is a
root with other sizes: the one that differs from it in the fewest.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neuron_migrate.rehearse.recording import Operator

Position = tuple[int, int]
"""An operand and a dimension of it."""


class Family(msgspec.Struct, frozen=True):
    """A root and what it became when other data came."""

    members: tuple[Operator, ...]

    @property
    def varying(self) -> dict[Position, frozenset[int]]:
        """The sizes of each dimension that varies."""
        shapes = [tuple(operand.shape for operand in member.operands) for member in self.members]
        positions = {
            (number, dimension): frozenset(each[number][dimension] for each in shapes)
            for number, shape in enumerate(shapes[0])
            for dimension in range(len(shape))
        }
        return {place: sizes for place, sizes in positions.items() if len(sizes) > 1}


def families(operators: Sequence[Operator]) -> list[Family]:
    """The families of one process; an operator that never varied is one of its own."""
    alike = sorted(operators, key=_alike)
    return [family for _, group in groupby(alike, key=_alike) for family in _families([*group])]


def _alike(operator: Operator) -> tuple[object, ...]:
    kinds = tuple((len(each.shape), each.dtype) for each in operator.operands)
    return (operator.name, operator.line, kinds)


def _families(group: Sequence[Operator]) -> Iterator[Family]:
    start = min(operator.first for operator in group)
    roots = [operator for operator in group if operator.first == start]
    members: list[list[Operator]] = [[root] for root in roots]
    for operator in group:
        if operator.first > start:
            members[_nearest(operator, roots)].append(operator)
    return (Family(tuple(each)) for each in members)


def _nearest(operator: Operator, roots: Iterable[Operator]) -> int:
    """The number of the root that differs from an operator in the fewest sizes."""
    sizes = _sizes(operator)
    distances = [
        sum(one != other for one, other in zip(sizes, _sizes(root), strict=True)) for root in roots
    ]
    return distances.index(min(distances))


def _sizes(operator: Operator) -> list[int]:
    return [size for operand in operator.operands for size in operand.shape]
