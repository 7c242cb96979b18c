"""The rows of a side-by-side diff, with the findings at their lines."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report.html.alignment import Pair, aligned
from neuron_migrate.report.html.lines import runs, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from neuron_migrate.finding import Finding
    from neuron_migrate.report.html.lines import Span
    from neuron_migrate.report.html.sheets import Sheet

CONTEXT = 3
"""Unchanged lines shown around a change or a finding."""
_TALLEST = 12
"""Lines of one finding that are marked."""


class Side(msgspec.Struct, frozen=True):
    """The findings on one side of a sheet, by number, and what they mark."""

    at: Mapping[int, list[int]]
    """By index of the line they start in."""
    marks: Mapping[int, list[Span]]

    @classmethod
    def of(cls, places: Iterable[tuple[int, Finding]], lines: Sequence[str]) -> Side:
        """Findings beyond the lines have no place."""
        at: dict[int, list[int]] = defaultdict(list)
        marks: dict[int, list[Span]] = defaultdict(list)
        for number, finding in places:
            if finding.line <= len(lines):
                at[finding.line - 1].append(number)
                for index, span in _spans(finding, lines):
                    marks[index].append(span)
        return cls(at, marks)


def parts(sheet: Sheet, left: Side, right: Side, *, whole: bool) -> list[dict[str, object]]:
    """What is shown of a sheet and what is folded; nothing when there is nothing to show.

    ``{"rows"}`` are shown: ``[old, new, line]`` is unchanged, ``[old, line, new, line]`` changed,
    with 0 and null for a side without a line; ``{"left"}`` and ``{"right"}`` are the numbers of the
    findings at the line above. ``{"fold", "rows"}`` is folded, and only counted unless ``whole``.
    """
    pairs = [*aligned(sheet.before, sheet.after)]
    wanted = [not pair.same or pair.old in left.at or pair.new in right.at for pair in pairs]
    if not any(wanted):
        return []
    near = _near(wanted)
    made: list[dict[str, object]] = []
    for shown, group in groupby(zip(near, pairs, strict=True), key=lambda each: each[0]):
        rows = [pair for _, pair in group]
        part: dict[str, object] = {} if shown else {"fold": len(rows)}
        if shown or whole:
            part["rows"] = [row for pair in rows for row in _rows(sheet, pair, left, right)]
        made.append(part)
    if sheet.cell is not None:
        made[0]["cell"] = sheet.cell
    return made


def _near(wanted: Sequence[bool]) -> list[bool]:
    """What is wanted and its context; a single line is not worth a fold."""
    near = [False] * len(wanted)
    for index, each in enumerate(wanted):
        if each:
            first = max(0, index - CONTEXT)
            near[first : index + CONTEXT + 1] = [True] * len(near[first : index + CONTEXT + 1])
    for index in range(len(near)):
        if not near[index] and all(near[max(0, index - 1) : index] + near[index + 1 : index + 2]):
            near[index] = True
    return near


def _rows(sheet: Sheet, pair: Pair, left: Side, right: Side) -> Iterator[object]:
    old = sheet.before[pair.old] if pair.old is not None else None
    new = sheet.after[pair.new] if pair.new is not None else None
    found = (left.marks.get(_index(pair.old), ()), right.marks.get(_index(pair.new), ()))
    numbers = [sheet.first + at if at is not None else 0 for at in (pair.old, pair.new)]
    if pair.same and old is not None:
        yield [*numbers, runs(old, (), (*found[0], *found[1]))]
    else:
        changed = words(old, new) if old is not None and new is not None else ((), ())
        yield [
            numbers[0],
            None if old is None else runs(old, changed[0], found[0]),
            numbers[1],
            None if new is None else runs(new, changed[1], found[1]),
        ]
    for name, side, at in (("left", left, pair.old), ("right", right, pair.new)):
        if at is not None and at in side.at:
            yield {name: side.at[at]}


def _index(at: int | None) -> int:
    return -1 if at is None else at


def _spans(finding: Finding, lines: Sequence[str]) -> Iterator[tuple[int, Span]]:
    """The part of each line that a finding is about, without the indentation of further lines."""
    last = min(finding.end_line, len(lines), finding.line + _TALLEST - 1)
    for number in range(finding.line, max(last, finding.line) + 1):
        line = lines[number - 1]
        first = finding.column - 1 if number == finding.line else len(line) - len(line.lstrip())
        end = finding.end_column - 1 if number == finding.end_line else len(line)
        if first < end:
            yield number - 1, (first, min(end, len(line)))
