"""An edit of a cell's code as an edit of the JSON it is kept in."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.notebooks.cells import Cell, Part

_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)


class CellEdits:
    """Edits of one cell of a notebook."""

    def __init__(self, cell: Cell, text: str) -> None:
        """``text`` is that of the file."""
        self._cell = cell
        self._text = text
        self._ascii = text.isascii()
        self._starts = _starts(cell.parts)

    def translated(self, edit: Edit) -> Edit:
        """The edit of the file for one of the cell's source, which may lack its last line end."""
        start, end, new = self._within(edit)
        if not self._cell.parts:
            return self._filled(new)
        first, last = (
            self._part(start, is_end=start == len(self._cell.source)),
            self._part(end, is_end=end > start or end == len(self._cell.source)),
        )
        last = max(first, last)
        before = self._cell.parts[first].text[: start - self._starts[first]]
        after = self._cell.parts[last].text[end - self._starts[last] :]
        if not self._cell.listed:
            return self._inside(0, start, end, new)
        pieces = _lines(before + new + after)
        if first == last and len(pieces) == 1:
            offset = self._starts[first]
            return self._inside(first, start - offset, end - offset, new)
        if start == end and not before and new.endswith("\n"):
            place = self._cell.parts[first].span.start
            text = "".join(self._literal(line) + self._separator for line in _lines(new))
            return Edit(place, place, text)
        return self._replaced(first, last, pieces)

    def _within(self, edit: Edit) -> tuple[int, int, str]:
        """The edit within the source: the line end after its last line is not in the file."""
        length = len(self._cell.source)
        if edit.end <= length:
            return edit.start, edit.end, edit.text
        if edit.start > length:
            return length, length, "\n" + edit.text.removesuffix("\n")
        if edit.text.endswith("\n"):
            return edit.start, length, edit.text.removesuffix("\n")
        # The last line goes: the end of the one before is now that of the source.
        start = edit.start
        if not edit.text and start and self._cell.source[start - 1] == "\n":
            start -= 1
        return start, length, edit.text

    def _part(self, offset: int, *, is_end: bool) -> int:
        """The part an offset stands in; at a border the one before it where something ends."""
        found = 0
        for index, start in enumerate(self._starts):
            if start < offset or (start == offset and not is_end):
                found = index
        return found

    def _inside(self, index: int, start: int, end: int, new: str) -> Edit:
        """An edit of the characters of one string."""
        part = self._cell.parts[index]
        raw = self._text[part.span.start + 1 : part.span.end - 1]
        places = [part.span.start + 1 + match.start() for match in _CHARACTER.finditer(raw)]
        places.append(part.span.end - 1)
        return Edit(places[start], places[end], self._literal(new)[1:-1])

    def _replaced(self, first: int, last: int, pieces: Sequence[str]) -> Edit:
        """Other strings in place of some of the list."""
        parts = self._cell.parts
        start, end = parts[first].span.start, parts[last].span.end
        if pieces:
            return Edit(start, end, self._separator.join(map(self._literal, pieces)))
        if last + 1 < len(parts):
            return Edit(start, parts[last + 1].span.start, "")
        return Edit(parts[first - 1].span.end if first else start, end, "")

    def _filled(self, new: str) -> Edit:
        """Code in a cell that had none."""
        place = self._cell.opening + 1
        return Edit(place, place, self._separator.join(map(self._literal, _lines(new))))

    def _literal(self, line: str) -> str:
        return json.dumps(line, ensure_ascii=self._ascii)

    @property
    def _separator(self) -> str:
        """What stands between two strings of the list."""
        parts = self._cell.parts
        if len(parts) > 1:
            return self._text[parts[0].span.end : parts[1].span.start]
        margin = self._text[self._cell.opening + 1 : parts[0].span.start] if parts else ""
        return f",{margin or ' '}"


def _starts(parts: Sequence[Part]) -> list[int]:
    starts, offset = [], 0
    for part in parts:
        starts.append(offset)
        offset += len(part.text)
    return starts


def _lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one, as notebooks are written."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
