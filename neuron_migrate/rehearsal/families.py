"""Calls that differ only because the program's data did: what varies, and what never does.

A program calls one operator at one line many times in one step, for layers of different sizes.
These do not vary. What a line met when it first ran is its *roots*; what it meets only later, after
new data came to the device or the host waited, is a root with other sizes: the one that differs
from it in the fewest. A loop over the parameters of a model waits too, where it asks each for its
norm: where all that a line is given has the size of some parameter, everything is a root.
"""

from __future__ import annotations

import re
from itertools import groupby
from math import prod
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neuron_migrate.rehearse.recording import Operator

Position = tuple[int, int]
"""An operand and a dimension of it; behind the operands the attributes, and a number in each."""
_NUMBER = re.compile(r"-?\d+")


class Family(msgspec.Struct, frozen=True):
    """A root and what it became when other data came."""

    members: tuple[Operator, ...]

    @property
    def varying(self) -> dict[Position, frozenset[int]]:
        """The sizes of each dimension that varies, and of attributes if a dimension does."""
        spelled = [numbers(member) for member in self.members]
        positions = {place: frozenset(each[place] for each in spelled) for place in spelled[0]}
        found = {place: sizes for place, sizes in positions.items() if len(sizes) > 1}
        operands = len(self.members[0].operands)
        return found if any(number < operands for number, _ in found) else {}


def numbers(operator: Operator) -> dict[Position, int]:
    """The sizes of the operands, and the numbers in the attributes."""
    rows: list[Sequence[int]] = [operand.shape for operand in operator.operands]
    rows += [[*map(int, _NUMBER.findall(each))] for each in operator.attributes]
    return {
        (row, place): size for row, sizes in enumerate(rows) for place, size in enumerate(sizes)
    }


def words(operator: Operator) -> tuple[str, ...]:
    """The attributes without their numbers."""
    return tuple(_NUMBER.sub("#", each) for each in operator.attributes)


def families(
    operators: Sequence[Operator], parameters: frozenset[int] = frozenset()
) -> list[Family]:
    """The families of one process; an operator that never varied is one of its own.

    ``parameters`` are the numbers of elements that parameters have.
    """
    alike = sorted(operators, key=_alike)
    groups = ([*group] for _, group in groupby(alike, key=_alike))
    return [family for group in groups for family in _families(group, parameters)]


def _alike(operator: Operator) -> tuple[object, ...]:
    kinds = tuple((len(each.shape), each.dtype) for each in operator.operands)
    return (operator.name, operator.line, kinds, words(operator))


def _families(group: Sequence[Operator], parameters: frozenset[int]) -> Iterator[Family]:
    if all(_is_of_parameters(operator, parameters) for operator in group):
        return (Family((operator,)) for operator in group)
    start = min(operator.first for operator in group)
    roots = [operator for operator in group if operator.first == start]
    members: list[list[Operator]] = [[root] for root in roots]
    for operator in group:
        if operator.first > start:
            members[_nearest(operator, roots)].append(operator)
    return (Family(tuple(each)) for each in members)


def _is_of_parameters(operator: Operator, parameters: frozenset[int]) -> bool:
    shapes = [operand.shape for operand in operator.operands if operand.shape]
    return bool(shapes) and all(prod(shape) in parameters for shape in shapes)


def _nearest(operator: Operator, roots: Iterable[Operator]) -> int:
    """The number of the root that differs from an operator in the fewest sizes."""
    sizes = numbers(operator).values()
    distances = [
        sum(one != other for one, other in zip(sizes, numbers(root).values(), strict=True))
        for root in roots
    ]
    return distances.index(min(distances))
