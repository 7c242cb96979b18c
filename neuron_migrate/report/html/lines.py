"""A line of code as the page shows it: in runs, of which some are marked."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from neuron_migrate.report.layout import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Span = tuple[int, int]
"""Where something starts and ends in a line, in characters."""
CHANGED, FOUND = 1, 2
"""What a run can be marked as."""
LONGEST = 600
"""Characters of a line that are shown."""
_LEAD = 120
"""Characters shown before the first mark of a longer line."""
_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_MANY_WORDS = 400
_ALIKE = 0.35
"""Lines that have less in common than this are not compared by words."""


def runs(line: str, changed: Sequence[Span] = (), found: Sequence[Span] = ()) -> str | list[object]:
    """The line, without what could turn it around or run on forever.

    With marks it is its runs in order, ``[marks, text]`` with the sum of the marks.
    """
    start, end = _window(line, [*changed, *found])
    bounds = sorted({start, end, *_within(start, end, (*changed, *found))})
    marked = [(_marks(at, changed, found), visible(line[at:to])) for at, to in pairwise(bounds)]
    marked = [(0, "\u2026"), *marked] if start else marked
    marked = [*marked, (0, "\u2026")] if end < len(line) else marked
    joined = [
        (mark, "".join(text for _, text in group))
        for mark, group in groupby(marked, key=lambda run: run[0])
    ]
    if all(not mark for mark, _ in joined):
        return "".join(text for _, text in joined)
    return [*map(list, joined)]


def visible(text: str) -> str:
    """Text with its control characters spelled out; tabs stay."""
    return "\t".join(one_line(part) for part in text.split("\t"))


def words(old: str, new: str) -> tuple[list[Span], list[Span]]:
    """What differs between two lines, word by word; nothing when they are hardly alike."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    middle = (before[head : len(before) - tail], after[head : len(after) - tail])
    changes = _changes(*middle)
    gone, come = (sum(code[k + 1] - code[k] for code in changes) for k in (0, 2))
    if len(before) - gone + len(after) - come < _ALIKE * (len(before) + len(after)):
        return [], []
    return (
        _spans(before, [(head + code[0], head + code[1]) for code in changes]),
        _spans(after, [(head + code[2], head + code[3]) for code in changes]),
    )


def likeness(old: str, new: str) -> float:
    """How alike two lines are, from 0 to 1."""
    pair = _WORDS.findall(old[:LONGEST].strip()), _WORDS.findall(new[:LONGEST].strip())
    return SequenceMatcher(None, *pair, autojunk=False).ratio()


def _changes(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where words differ, in both; as a whole when there are too many to compare."""
    if max(len(old), len(new)) > _MANY_WORDS:
        return [(0, len(old), 0, len(new))]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [code[1:] for code in codes if code[0] != "equal"]


def _window(line: str, marks: Sequence[Span]) -> Span:
    if len(line) <= LONGEST:
        return 0, len(line)
    start = max(0, min((start for start, _ in marks), default=0) - _LEAD)
    return start, min(len(line), start + LONGEST)


def _within(start: int, end: int, spans: Iterable[Span]) -> Iterable[int]:
    return (at for span in spans for at in span if start < at < end)


def _marks(at: int, changed: Sequence[Span], found: Sequence[Span]) -> int:
    inside = [any(start <= at < end for start, end in spans) for spans in (changed, found)]
    return CHANGED * inside[0] + FOUND * inside[1]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    same = (index for index, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])
    return next(same, min(len(one), len(other)))


def _spans(tokens: Sequence[str], ranges: Iterable[Span]) -> list[Span]:
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token))
    return [(offsets[start], offsets[end]) for start, end in ranges if start < end]
