"""A file as a reader sees it: lines, or the cells of a notebook."""

from __future__ import annotations

import json
from bisect import bisect_right
from functools import cached_property

from neuron_migrate.files.lines import LINE_END, line_starts

_SOURCES = ("source", "input")
"""Where the format versions of notebooks keep the code of a cell."""


class Document:
    """The text of a file; offsets are those that edits have, lines those that findings have."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return line_starts(self.text)

    def line_of(self, offset: int) -> int:
        """The 1-based line of an offset."""
        return bisect_right(self.starts, offset)

    def lines(self, cell: int | None) -> list[str]:
        """The lines that a finding counts in: those of its cell, or of the file."""
        if cell is None:
            return self._lines
        return self.cells[cell - 1] if cell <= len(self.cells) else []

    @cached_property
    def cells(self) -> list[list[str]]:
        """The lines of every cell of a notebook; none for what is no notebook."""
        try:
            book = json.loads(self.text)
            sheets = book.get("worksheets", [book])
            return [_source(cell) for sheet in sheets for cell in sheet["cells"]]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return []

    @cached_property
    def _lines(self) -> list[str]:
        return split(self.text)


def split(text: str) -> list[str]:
    """The lines of a text without their ends."""
    lines = LINE_END.split(text)
    return lines if lines[-1] else lines[:-1]


def _source(cell: dict[str, object]) -> list[str]:
    source = next((cell[key] for key in _SOURCES if key in cell), "")
    return split("".join(source) if isinstance(source, list) else str(source))
