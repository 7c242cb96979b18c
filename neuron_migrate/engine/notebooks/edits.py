"""Edits of a cell's code as edits of the JSON it is kept in."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.notebooks.cells import Cell

_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]",
    re.DOTALL,
)
_END = re.compile(r"(?:\r\n|\r|\n)\Z")
_LINE_FEEDS = frozenset({r"\n", r"\u000a", r"\u000A"})


class CellEdits:
    """Edits of one cell of a notebook."""

    def __init__(self, cell: Cell, text: str) -> None:
        """``text`` is that of the file."""
        self._cell = cell
        self._text = text
        self._ascii = text.isascii()
        sizes = (len(part.text) for part in cell.parts)
        self._starts = [0, *accumulate(sizes)][: len(cell.parts)]
        self._places: dict[int, list[int]] = {}
        """Where each character of a string stands in the file."""

    def translated(self, edits: Sequence[Edit]) -> list[Edit]:
        """The edits of the file for some of the source, which may lack its last line end.

        Those that change the same strings of a list become one.
        """
        if not self._cell.parts:
            return [self._filled(edit.text) for edit in edits]
        found: list[Edit] = []
        group: list[Edit] = []
        reached = -1
        for edit in sorted({self._within(edit) for edit in edits}):
            first, last = self._range(edit)
            if first > reached:
                found += self._changed(group)
                group = []
            group.append(edit)
            reached = max(reached, last)
        return [*found, *self._changed(group)]

    def _within(self, edit: Edit) -> Edit:
        """The edit within the source: the line end after its last line is not in the file."""
        length = len(self._cell.source)
        if edit.end <= length:
            return edit
        if edit.start > length:
            line = _END.sub("", edit.text)
            return Edit(length, length, edit.text[len(line) :] + line)
        if _END.search(edit.text):
            return Edit(edit.start, length, _END.sub("", edit.text))
        if edit.text:
            return Edit(edit.start, length, edit.text)
        # The last line goes: the end of the one before is now that of the source.
        return Edit(len(_END.sub("", self._cell.source[: edit.start])), length, "")

    def _range(self, edit: Edit) -> tuple[int, int]:
        """The first and the last string that an edit changes."""
        if edit.start == edit.end:
            first = last = bisect_right(self._starts, edit.start) - 1
        else:
            first = bisect_right(self._starts, edit.start) - 1
            last = max(first, bisect_left(self._starts, edit.end) - 1)
        return first, last

    def _changed(self, group: Sequence[Edit]) -> Iterator[Edit]:
        """Some edits that have strings in common."""
        if not group:
            return
        first = self._range(group[0])[0]
        last = max(self._range(edit)[1] for edit in group)
        if not self._cell.listed or (first == last and not any(map(self._moves_lines, group))):
            for edit in group:
                yield self._inside(first, edit)
        elif len(group) == 1 and self._adds_lines(group[0]):
            place = self._cell.parts[first].span.start
            new = "".join(self._literal(line) + self._separator for line in _lines(group[0].text))
            yield Edit(place, place, new)
        else:
            yield self._replaced(first, last, group)

    def _moves_lines(self, edit: Edit) -> bool:
        return "\n" in edit.text or "\n" in self._cell.source[edit.start : edit.end]

    def _adds_lines(self, edit: Edit) -> bool:
        """Whether it is an insertion of whole lines before a string."""
        whole = edit.start == edit.end and edit.text.endswith("\n")
        return whole and edit.start in self._starts[bisect_left(self._starts, edit.start) :][:1]

    def _inside(self, index: int, edit: Edit) -> Edit:
        """An edit of the characters of one string."""
        if index not in self._places:
            first = self._cell.parts[index].span.start + 1
            sizes = map(len, self._characters(index))
            self._places[index] = list(accumulate(sizes, initial=first))
        places, offset = self._places[index], self._starts[index]
        new = self._literal(edit.text)[1:-1]
        return Edit(places[edit.start - offset], places[edit.end - offset], new)

    def _replaced(self, first: int, last: int, group: Sequence[Edit]) -> Edit:
        """Other strings in place of some of the list; what stays is written as it was."""
        parts = self._cell.parts
        pieces = self._pieces(first, last, group)
        if pieces and not _ends_line(pieces[-1]) and last + 1 < len(parts):
            last += 1
            pieces = self._pieces(first, last, group)
        start, end = parts[first].span.start, parts[last].span.end
        if pieces:
            return Edit(start, end, self._separator.join(f'"{"".join(each)}"' for each in pieces))
        if last + 1 < len(parts):
            return Edit(start, parts[last + 1].span.start, "")
        if first:
            return Edit(parts[first - 1].span.end, end, "")
        return Edit(self._cell.span.start, self._cell.span.end, "[]")

    def _pieces(self, first: int, last: int, group: Sequence[Edit]) -> list[list[str]]:
        """The characters of each line after the edits, as the JSON has them."""
        offset = self._starts[first]
        old = [each for index in range(first, last + 1) for each in self._characters(index)]
        new: list[str] = []
        position = 0
        for edit in group:
            new += old[position : edit.start - offset]
            new += (self._literal(character)[1:-1] for character in edit.text)
            position = edit.end - offset
        lines: list[list[str]] = []
        for character in [*new, *old[position:]]:
            if not lines or _ends_line(lines[-1]):
                lines.append([])
            lines[-1].append(character)
        return lines

    def _characters(self, index: int) -> list[str]:
        """The characters of a string as the JSON has them."""
        span = self._cell.parts[index].span
        return _CHARACTER.findall(self._text, span.start + 1, span.end - 1)

    def _filled(self, new: str) -> Edit:
        """Code in a cell that had none."""
        place = self._cell.span.start + 1
        return Edit(place, place, self._separator.join(map(self._literal, _lines(new))))

    def _literal(self, line: str) -> str:
        return json.dumps(line, ensure_ascii=self._ascii)

    @property
    def _separator(self) -> str:
        """What stands between two strings of the list."""
        parts = self._cell.parts
        if len(parts) > 1:
            return self._text[parts[0].span.end : parts[1].span.start]
        margin = self._text[self._cell.span.start + 1 : parts[0].span.start] if parts else ""
        return f",{margin or ' '}"


def _ends_line(characters: Sequence[str]) -> bool:
    return characters[-1] in _LINE_FEEDS


def _lines(text: str) -> list[str]:
    """The lines with their ends; only a line feed ends one, as notebooks are written."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
