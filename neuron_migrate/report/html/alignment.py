"""Which lines of two texts stand beside each other."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report.html.lines import likeness

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ALIKE = 0.5
"""Lines that have less in common than this are not looked for in a change."""
_LARGE = 400
"""Pairs of lines in a change above which it is not searched for lines that are alike."""


class Pair(msgspec.Struct, frozen=True):
    """Indexes of the lines of a row, from 0; None where a side has no line."""

    old: int | None
    new: int | None
    same: bool = False


def aligned(before: Sequence[str], after: Sequence[str]) -> Iterator[Pair]:
    """The rows of a side-by-side diff."""
    for tag, old, old_end, new, new_end in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            yield from (Pair(old + k, new + k, same=True) for k in range(old_end - old))
        else:
            yield from _changed(before, after, range(old, old_end), range(new, new_end))


def _changed(before: Sequence[str], after: Sequence[str], old: range, new: range) -> Iterator[Pair]:
    """Lines that are alike beside each other, and between them the others in order."""
    at, to = old.start, new.start
    for one, other in [*_alike(before, after, old, new), (old.stop, new.stop)]:
        beside = [*zip_longest(range(at, one), range(to, other)), (one, other)]
        for i, j in beside if one < old.stop else beside[:-1]:
            # Lines that a text has often are no landmarks for difflib, and may be the same here.
            same = i is not None and j is not None and before[i] == after[j]
            yield Pair(i, j, same=same)
        at, to = one + 1, other + 1


def _alike(
    before: Sequence[str], after: Sequence[str], old: range, new: range
) -> list[tuple[int, int]]:
    """The chain of similar lines, in the order of both sides, that have most in common."""
    if not 1 < len(old) * len(new) <= _LARGE or len(old) == len(new):
        return []
    best: dict[tuple[int, int], tuple[float, list[tuple[int, int]]]] = {}
    for i in reversed(old):
        for j in reversed(new):
            choices = [best.get(at, (0.0, [])) for at in ((i + 1, j), (i, j + 1), (i + 1, j + 1))]
            ratio = likeness(before[i], after[j])
            if ratio >= _ALIKE:
                choices[2] = (choices[2][0] + ratio, [(i, j), *choices[2][1]])
            best[i, j] = max(choices, key=lambda choice: choice[0])
    return best[old.start, new.start][1]
