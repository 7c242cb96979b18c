"""Code of a document as one text, and its edits as edits of the document."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.files.lines import LINE_END
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.engine.markup.blocks import Block

_CONTINUES = re.compile(r"[ \t)\]}]")


@dataclass(frozen=True, slots=True)
class _Placed:
    """A line of a block, or one that the document does not have: then it has no length."""

    first: int
    """Where the whole line begins in the document."""
    start: int
    """Where the code does."""
    code_end: int
    last: int
    """Where the next line begins."""
    margin: str
    """What a line that is added to the block has before it."""
    session: bool


class Code:
    """The lines of some blocks, without what stands around them."""

    def __init__(self, blocks: Iterable[Block], newline: str, assumed: str = "") -> None:
        """``newline`` is the line end of the document, ``assumed`` a line that it leaves out.

        An empty line after each block tells its end from the beginning of the next.
        """
        self._newline = newline
        self._lines: list[_Placed] = []
        self._starts: list[int] = []
        parts: list[str] = []
        self.length = 0
        for block in blocks:
            for placed, text in _lines_of(block, newline, assumed if not parts else ""):
                self._lines.append(placed)
                self._starts.append(self.length)
                parts.append(text)
                self.length += len(text)
        self.text = "".join(parts)

    def offset(self, line: int, column: int) -> int:
        """The offset in the document of a 1-based line and column of the code."""
        if line > len(self._starts):
            return self._lines[-1].last
        return self.place(min(self._starts[line - 1] + column - 1, self.length))

    def place(self, offset: int) -> int:
        """The offset in the document of one in the code."""
        line, column = self._at(offset)
        placed = self._lines[line]
        return min(placed.start + column, max(placed.code_end, placed.start))

    def translated(self, edit: Edit) -> Edit | None:
        """The edit of the document; None where it cannot be said what becomes of the lines."""
        first, column = self._at(edit.start)
        last, end_column = self._at(edit.end)
        whole = column == 0 and end_column == 0 and (not edit.text or _ends_line(edit.text))
        if end_column == 0 and edit.end > edit.start and (whole or _ends_line(edit.text)):
            last, end = last - 1, self._lines[last - 1].last
        else:
            end = self._lines[last].first if whole else self.place(edit.end)
        if not self._is_one_place(first, last) or not self._can_be_shown(edit, first, whole):
            return None
        start = self._lines[first].first if whole else self.place(edit.start)
        return self._ended(Edit(start, end, self._with_margins(edit.text, first, whole)), first)

    def _at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        if offset == self.length:  # the end of the last empty line is its beginning
            return line, 0
        return line, offset - self._starts[line]

    def _is_one_place(self, first: int, last: int) -> bool:
        """Whether nothing but code stands between two lines."""
        return all(
            self._lines[number].last == self._lines[number + 1].first
            for number in range(first, last)
        )

    def _can_be_shown(self, edit: Edit, first: int, whole: bool) -> bool:
        """Whether the document has what is edited, and it shows which prompt a new line has."""
        line = self._lines[first]
        if line.start == line.last and not whole:
            return False
        if not line.session or not LINE_END.search(edit.text):
            return True
        new = LINE_END.split(edit.text)
        return new[-1] == "" and not any(_CONTINUES.match(line) for line in new)

    def _with_margins(self, text: str, first: int, whole: bool) -> str:
        margin = self._lines[first].margin
        new = LINE_END.split(text)
        if self._lines[first].session:  # an empty line would be a prompt with nothing behind it
            new = [*filter(None, new[:-1]), new[-1]]
        margined = [f"{margin}{line}" if line else margin.rstrip() for line in new]
        if not whole:
            margined[0] = new[0]
        if not new[-1]:
            margined[-1] = ""
        return self._newline.join(margined)

    def _ended(self, edit: Edit, first: int) -> Edit:
        """A line that is added after the last of a document which does not end in a line end."""
        before = self._lines[first - 1] if first else None
        if not edit.text or before is None or edit.start != edit.end:
            return edit
        if before.start < before.code_end == before.last == edit.start:
            return Edit(edit.start, edit.end, self._newline + edit.text.removesuffix(self._newline))
        return edit


def _lines_of(block: Block, newline: str, assumed: str) -> Iterator[tuple[_Placed, str]]:
    margin = next(line.margin for line in block.lines if not line.is_blank)
    if assumed:
        yield _absent(block.lines[0].first, margin, block.session), assumed + newline
    for line in block.lines:
        end = line.start + len(line.text)
        placed = _Placed(line.first, line.start, end, line.last, margin, block.session)
        yield placed, line.text + (line.end or newline)
    yield _absent(block.lines[-1].last, margin, block.session), newline


def _absent(place: int, margin: str, session: bool) -> _Placed:
    """A line that the document does not have."""
    return _Placed(place, place, place, place, margin, session)


def _ends_line(text: str) -> bool:
    return text.endswith(("\n", "\r"))
