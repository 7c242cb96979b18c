"""Two states of a file as the sheets on which they are shown: its lines, or its cells."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.report.html.document import Document, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.finding import Edit, Finding

_AROUND = 2
"""Lines shown around what one fix changes."""


class Sheet(msgspec.Struct, frozen=True):
    """Lines before and after, of a whole file, a cell, or a place."""

    before: Sequence[str]
    after: Sequence[str]
    cell: int | None = None
    first: int = 1
    """The number of the first line of either side."""


def of_file(path: str, before: Document, after: Document) -> list[Sheet]:
    """The sheets of a file: one, or those of the cells of a notebook."""
    if kind_of(path) is not Kind.NOTEBOOK or not before.cells:
        return [Sheet(before.lines(None), after.lines(None))]
    nothing: list[str] = []
    pairs = zip_longest(before.cells, after.cells, fillvalue=nothing)
    return [Sheet(old, new, number) for number, (old, new) in enumerate(pairs, 1)]


def of_fix(document: Document, finding: Finding) -> list[Sheet]:
    """The places that a finding's fix changes; none when the text is not what it was."""
    edits = finding.edits
    if not edits or edits[-1].end > len(document.text):
        return []
    if finding.cell is not None:
        after = Document(_applied(document.text, edits, 0, len(document.text)))
        sheets = of_file(finding.path, document, after)
        return [sheet for sheet in sheets if sheet.before != sheet.after]
    return [*_places(document, edits)]


def _places(document: Document, edits: Sequence[Edit]) -> Iterator[Sheet]:
    """The lines around edits that are near each other."""
    for group in _near(document, edits):
        first = max(1, document.line_of(group[0].start) - _AROUND)
        last = document.line_of(group[-1].end) + _AROUND
        start = document.starts[first - 1]
        end = document.starts[last] if last < len(document.starts) else len(document.text)
        after = _applied(document.text, group, start, end)
        yield Sheet(split(document.text[start:end]), split(after), first=first)


def _near(document: Document, edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    group: list[Edit] = []
    for edit in edits:
        end = document.line_of(group[-1].end) if group else 0
        if group and document.line_of(edit.start) - end > 2 * _AROUND:
            yield group
            group = []
        group.append(edit)
    yield group


def _applied(text: str, edits: Sequence[Edit], start: int, end: int) -> str:
    parts = []
    for edit in edits:
        parts += [text[start : edit.start], edit.text]
        start = edit.end
    return "".join([*parts, text[start:end]])
