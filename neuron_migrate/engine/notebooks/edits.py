"""Edits of a cell's code as edits of the JSON it is kept in.

Edits of the code that do not touch each other must not do so in the JSON either. So the string of a
line is never written anew: an edit replaces the characters it changes, and where it adds or takes
out a line, what stands between two strings of the list.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from neuron_migrate.engine.notebooks.cells import Cell

_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
"""Only a line feed ends one, as notebooks are written."""
_END = re.compile(r"(?:\r\n|\r|\n)\Z")


class CellEdits:
    """Edits of one cell of a notebook."""

    def __init__(self, cell: Cell, text: str) -> None:
        """``text`` is that of the file."""
        self._cell = cell
        self._text = text
        self._ascii = text.isascii()
        sizes = (len(part.text) for part in cell.parts)
        self._starts = [0, *accumulate(sizes)][: len(cell.parts)]
        self._lines = {
            start
            for start, part in zip(self._starts[1:], cell.parts, strict=False)
            if part.text.endswith("\n")
        }
        """Where strings begin that are lines, save the first."""
        if cell.source.endswith("\n"):
            self._lines.add(len(cell.source))
        self._places: dict[int, list[int]] = {}
        """Where each character of a string stands in the file."""

    def translated(self, edits: Iterable[Edit], lines_at: Collection[int] = ()) -> list[Edit]:
        """The edits of the file for some of the source, which may lack its last line end.

        ``lines_at`` are offsets at which any edit of the cell adds lines.
        """
        return [self._edit(self._within(edit), lines_at) for edit in edits]

    def place(self, offset: int) -> int:
        """Where a character of the source, or its end, stands in the file."""
        return self._inner(offset) if self._cell.parts else self._cell.span.start

    def _within(self, edit: Edit) -> Edit:
        """The edit within the source: the line end after its last line is not in the file."""
        length = len(self._cell.source)
        if edit.end <= length:
            return edit
        line = _END.sub("", edit.text)
        if edit.start > length:
            return Edit(length, length, edit.text[len(line) :] + line)
        return Edit(edit.start, length, line)

    def _edit(self, edit: Edit, lines_at: Collection[int]) -> Edit:
        cell, start, end = self._cell, edit.start, edit.end
        if not cell.parts:
            place = cell.span.start + 1
            return Edit(place, place, f'"{self._encoded(edit.text)}"')
        if not cell.listed:
            return Edit(self._inner(start), self._inner(end), self._encoded(edit.text))
        if not edit.text and start == 0 and self._is_line(end):
            return self._without_first(end, lines_at)
        if start in self._lines and self._is_line(end) and _is_whole(edit.text, end, cell):
            new = self._between + self._encoded(edit.text) if edit.text else ""
            return Edit(self._outer(start), self._outer(end), new)
        if edit.text.endswith("\n"):
            new = self._encoded(edit.text)
            if start == end:
                return Edit(self._inner(start), self._inner(end), new + self._between)
            if self._is_line(end):
                return Edit(self._inner(start), self._outer(end), new)
            return Edit(self._inner(start), self._inner(end), new + self._between)
        return Edit(self._inner(start), self._inner(end), self._encoded(edit.text))

    def _without_first(self, end: int, lines_at: Collection[int]) -> Edit:
        """Without the lines above an offset; where others are added, an empty string stays."""
        if end < len(self._cell.source):
            stays = end in lines_at
            return Edit(self._inner(0), self._outer(end) if stays else self._inner(end), "")
        if lines_at:
            return Edit(self._inner(0), self._inner(end), "")
        return Edit(self._cell.span.start, self._cell.span.end, "[]")

    def _is_line(self, offset: int) -> bool:
        """Whether a line begins there, or the source ends."""
        return offset in self._lines or offset == len(self._cell.source)

    def _inner(self, offset: int) -> int:
        """Where a character stands, or the quote after the last."""
        index = bisect_right(self._starts, offset) - 1
        if index not in self._places:
            span = self._cell.parts[index].span
            sizes = map(len, _CHARACTER.findall(self._text, span.start + 1, span.end - 1))
            self._places[index] = list(accumulate(sizes, initial=span.start + 1))
        return self._places[index][offset - self._starts[index]]

    def _outer(self, offset: int) -> int:
        """Where the line before ends, without its closing quote."""
        index = bisect_right(self._starts, offset) - 1
        if offset != self._starts[index] or not index:
            return self._inner(offset)
        return self._cell.parts[index - 1].span.end - 1

    def _encoded(self, text: str) -> str:
        """The text between the quotes of a string, or of several where it has several lines."""
        pieces = _LINE.findall(text) if self._cell.listed else [text]
        literals = (json.dumps(each, ensure_ascii=self._ascii)[1:-1] for each in pieces)
        return self._between.join(literals)

    @property
    def _between(self) -> str:
        """What stands between two strings of the list, with their quotes."""
        parts = self._cell.parts
        if len(parts) > 1:
            return self._text[parts[0].span.end - 1 : parts[1].span.start + 1]
        margin = self._text[self._cell.span.start + 1 : parts[0].span.start] if parts else ""
        return f'",{margin or " "}"'


def _is_whole(text: str, end: int, cell: Cell) -> bool:
    """Whether a text in place of lines, up to an offset, is lines as well."""
    return not text or text.endswith("\n") or end == len(cell.source)
