"""Calls that differ only because the program's data did: what varies, and what never does.

A program calls one operator at one line many times in one step, for layers of different sizes.
These do not vary. What a line met when it first ran is its *roots*; what it meets only later, after
new data came to the device or the host waited, is a root with other sizes: the one that differs
from it in the fewest. Parameters of a model do not vary: a loop that asks each for its norm waits
between them, and layers that run one after the other may; where an operand of the size of a
parameter becomes that of another one, it is a root too. What autograd runs for a line is apart from
what the line itself runs, as a program that evaluates first meets it later.
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
Sizes = tuple[int, ...]
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
    operators: Sequence[Operator], parameters: Iterable[Sequence[int]] = ()
) -> list[Family]:
    """The families of one process; an operator that never varied is one of its own.

    ``parameters`` are the shapes of parameters.
    """
    known = frozenset(each for shape in parameters for each in (_any_way(shape), (prod(shape),)))
    alike = sorted(operators, key=_alike)
    groups = ([*group] for _, group in groupby(alike, key=_alike))
    return [family for group in groups for family in _families(group, known)]


def _alike(operator: Operator) -> tuple[object, ...]:
    kinds = tuple((len(each.shape), each.dtype) for each in operator.operands)
    return (operator.name, operator.line, operator.backward, kinds, words(operator))


def _families(group: Sequence[Operator], known: frozenset[Sizes]) -> Iterator[Family]:
    start = min(operator.first for operator in group)
    members = [[operator] for operator in group if operator.first == start]
    for operator in group:
        if operator.first > start:
            fitting = [each for each in members if _same_parameters(operator, each[0], known)]
            if fitting:
                min(fitting, key=lambda each: _distance(operator, each[0])).append(operator)
            else:
                members.append([operator])
    return (Family(tuple(each)) for each in members)


def _same_parameters(one: Operator, other: Operator, known: frozenset[Sizes]) -> bool:
    """Whether operands that have the sizes of parameters in both have the same."""
    return all(
        mine.shape == its.shape
        or _any_way(mine.shape) not in known
        or _any_way(its.shape) not in known
        for mine, its in zip(one.operands, other.operands, strict=True)
    )


def _any_way(shape: Sequence[int]) -> Sizes:
    """The sizes of a tensor, transposed or not."""
    return tuple(sorted(shape))


def _distance(one: Operator, other: Operator) -> int:
    """In how many sizes two operators differ."""
    pairs = zip(numbers(one).values(), numbers(other).values(), strict=True)
    return sum(mine != its for mine, its in pairs)
