"""What the fix of a finding changes, as the hunks of a diff."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report.html.document import Document, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.finding import Edit, Finding

CONTEXT = 2
"""Lines shown around a place."""


class Hunk(msgspec.Struct, frozen=True):
    """Lines that follow each other, each after its sign: a blank, ``-`` or ``+``."""

    cell: int | None
    first: int
    """The line of the first of them in the text before."""
    lines: tuple[str, ...]


def hunks(document: Document, finding: Finding) -> list[Hunk]:
    """The hunks of a finding's fix; none without a fix, or when the text is not what it was."""
    edits = finding.edits
    if not edits or edits[-1].end > len(document.text):
        return []
    pieces = _pieces if finding.cell is None else _cells
    return [hunk for piece in pieces(document, edits) for hunk in _compared(*piece)]


_Piece = tuple["int | None", int, "list[str]", "list[str]"]
"""The cell, the first line, and the lines before and after."""


def _pieces(document: Document, edits: Sequence[Edit]) -> Iterator[_Piece]:
    """The lines around edits that are near each other."""
    for group in _near(document, edits):
        first = max(1, document.line_of(group[0].start) - CONTEXT)
        last = document.line_of(group[-1].end) + CONTEXT
        start = document.starts[first - 1]
        end = document.starts[last] if last < len(document.starts) else len(document.text)
        after = _applied(document.text, group, start, end)
        yield None, first, split(document.text[start:end]), split(after)


def _cells(document: Document, edits: Sequence[Edit]) -> Iterator[_Piece]:
    """The cells of a notebook that change."""
    after = Document(_applied(document.text, edits, 0, len(document.text)))
    pairs = zip(document.cells, after.cells, strict=False)
    for number, (old, new) in enumerate(pairs, 1):
        if old != new:
            yield number, 1, old, new


def _near(document: Document, edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    group: list[Edit] = []
    for edit in edits:
        end = document.line_of(group[-1].end) if group else 0
        if group and document.line_of(edit.start) - end > 2 * CONTEXT:
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


def _compared(
    cell: int | None, first: int, before: Sequence[str], after: Sequence[str]
) -> Iterator[Hunk]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(CONTEXT):
        lines: list[str] = []
        for tag, old, old_end, new, new_end in group:
            if tag == "equal":
                lines += [f" {line}" for line in before[old:old_end]]
            else:
                lines += [f"-{line}" for line in before[old:old_end]]
                lines += [f"+{line}" for line in after[new:new_end]]
        yield Hunk(cell, first + group[0][1], tuple(lines))
