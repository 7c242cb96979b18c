"""Shapes that vary, spelled with all their sizes: ``12x{17,23,31}``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_migrate.rehearsal.families import Family
    from neuron_migrate.rehearsal.lengths import Lengths

_VALUES = 4
"""Sizes of a dimension that are spelled out."""


def first(family: Family, lengths: Lengths) -> str:
    """The first operand that varies."""
    return spelled(family, min(number for number, _ in family.varying), lengths)


def spelled(family: Family, number: int, lengths: Lengths) -> str:
    """An operand: ``12x{17,23,31}``, or ``12*{17,23,31}x8`` when flattened."""
    varying = family.varying
    shape = family.members[0].operands[number].shape
    return "x".join(
        _values(varying[number, dimension], lengths.factor(varying[number, dimension]))
        if (number, dimension) in varying
        else str(size)
        for dimension, size in enumerate(shape)
    )


def _values(sizes: frozenset[int], factor: int) -> str:
    values = sorted(size // factor for size in sizes)
    listed = [*map(str, values[:_VALUES]), *(["..."] if len(values) > _VALUES else [])]
    return (f"{factor}*" if factor > 1 else "") + "{" + ",".join(listed) + "}"
