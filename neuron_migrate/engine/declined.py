"""Findings that a person wants left as they are, known again while the text around them changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from neuron_migrate.finding import Edit, Finding

Declined = Callable[[str, int, int], bool]
"""Whether a code is declined between two offsets of a text."""


class Mark(NamedTuple):
    """Where a code is declined."""

    code: str
    start: int
    end: int
    loose: bool = False
    """Its text was rewritten by another fix: the code is declined anywhere in what it became."""

    def holds(self, code: str, start: int, end: int) -> bool:
        """Whether a finding is meant."""
        if code != self.code:
            return False
        exact = (start, end) == (self.start, self.end)
        return exact or (self.loose and self.start <= start <= self.end)

    def after(self, edits: Iterable[Edit]) -> Mark:
        """The mark in the text after edits, which are sorted."""
        first, last, loose = self.start, self.end, self.loose
        before = inside = 0
        for edit in edits:
            growth = len(edit.text) - (edit.end - edit.start)
            if edit.end <= self.start:
                before += growth
            elif edit.start < self.end:
                covers = edit.start <= self.start and self.end <= edit.end
                loose = loose or covers or edit.start < self.start or self.end < edit.end
                first, last = min(first, edit.start), max(last, edit.end)
                inside += growth
        return Mark(self.code, first + before, last + before + inside, loose)


def declines_nothing(code: str, start: int, end: int) -> bool:
    """No finding is declined."""
    del code, start, end
    return False


def placed_by(place: Callable[[int], int], declined: Declined) -> Declined:
    """The same for a text whose offsets ``place`` turns into those of the file."""
    if declined is declines_nothing:
        return declined
    return lambda code, start, end: declined(code, place(start), place(end))


def mark(finding: Finding) -> Mark:
    """What tells a finding from the others of its text."""
    return Mark(finding.code, *finding.span)
