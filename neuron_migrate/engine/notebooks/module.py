"""The code cells of a notebook in order, as one module."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.notebooks.cells import read
from neuron_migrate.engine.notebooks.edits import CellEdits
from neuron_migrate.engine.notebooks.magics import Plain, plain
from neuron_migrate.engine.texts.facts import Reading
from neuron_migrate.files.lines import Lines
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from neuron_migrate.engine.notebooks.cells import Cell

_HEADER = "if 1:\n"
"""Stands above a cell whose lines are all indented, which IPython allows."""
_CHARACTER = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell and where its code begins in the module."""

    cell: Cell
    plain: Plain
    start: int
    header: str = ""
    problem: AnalysisError | None = None

    @property
    def takes_lines(self) -> bool:
        """Whether a line of Python can be added at its beginning or its end."""
        return self.plain.python and not self.header and bool(self.cell.source)


class Module:
    """The cells as one text."""

    def __init__(self, text: str) -> None:
        """``text`` is that of the file; raises AnalysisError for what is no notebook."""
        self._text = text
        self.cells: list[Placed] = []
        python: list[str] = []
        source: list[str] = []
        start = 0
        for cell in read(text):
            each = _placed(cell, start)
            self.cells.append(each)
            python += (each.header, _ended(each.plain.text))
            source += (each.header, _ended(cell.source))
            start = each.start + len(source[-1])
        self.python = "".join(python)
        self.source = "".join(source)
        self.lines = Lines(self.source)
        self._starts = [each.start for each in self.cells]
        self._edits: dict[int, CellEdits] = {}

    @cached_property
    def shell(self) -> Reading:
        """What the shell code and the magics of the cells do."""
        reading = Reading()
        for each in self.cells:
            if each.plain.shell or each.plain.lines:
                from neuron_migrate.engine.notebooks.commands import facts

                found = facts(each.plain, each.cell.source, each.start)
                reading.facts += found.facts
                reading.comments += found.comments
        return reading

    def at(self, offset: int) -> Placed:
        """The cell that holds an offset."""
        return self.cells[max(bisect_right(self._starts, offset) - 1, 0)]

    def place(self, offset: int) -> int:
        """Where an offset of the module stands in the file, within the nearest cell."""
        index = max(bisect_right(self._starts, offset) - 1, 0)
        each = self.cells[index]
        within = min(max(offset - each.start, 0), len(each.cell.source))
        return self._edits_of(index).place(within)

    def hides(self, edit: Edit) -> bool:
        """Whether an edit of the Python reaches over what only IPython reads."""
        place = slice(edit.start, edit.end)
        return self.source[place] != self.python[place]

    def translated(
        self, edits: Iterable[Edit], lines_at: Collection[int]
    ) -> tuple[Edit, ...] | None:
        """Edits of the module as edits of the file; None where one is not within a cell.

        ``lines_at`` are offsets at which any edit of the module adds lines.
        """
        found: set[Edit] = set()
        for edit in edits:
            within = self._within(edit)
            if within is None:
                return None
            index, inner = within
            each = self.cells[index]
            first = inner.start == 0 and not inner.text
            added = _within_cell(lines_at, each) if first else ()
            found.update(self._edits_of(index).translated([inner], added))
        return tuple(sorted(found))

    def _edits_of(self, index: int) -> CellEdits:
        if index not in self._edits:
            self._edits[index] = CellEdits(self.cells[index].cell, self._text)
        return self._edits[index]

    def _within(self, edit: Edit) -> tuple[int, Edit] | None:
        """The index of the cell, and the edit of its source."""
        index = max(bisect_right(self._starts, edit.start) - 1, 0)
        start, end = edit.start, edit.end
        if start == end and edit.text.endswith(("\n", "\r")) and self._is_border(index, start):
            border = self._border(index)
            if border is None:
                return None
            index, start = border
            end = start
        each = self.cells[index]
        if not each.start <= start <= end <= each.start + len(_ended(each.cell.source)):
            return None
        return index, Edit(start - each.start, end - each.start, edit.text)

    def _is_border(self, index: int, place: int) -> bool:
        """Whether a line that is added there stands between two cells."""
        each = self.cells[index]
        return place == each.start or place < each.start + each.plain.begins

    def _border(self, index: int) -> tuple[int, int] | None:
        """The cell that takes a line between it and the one before, and where.

        That is the one before, or the first from there on that is one of Python.
        """
        for number in range(index - 1, -1, -1):
            before = self.cells[number]
            if before.takes_lines:
                return number, before.start + len(_ended(before.cell.source))
            if before.cell.source:
                break
        for number, after in enumerate(self.cells[index:], index):
            if after.takes_lines:
                return number, after.start + after.plain.begins
        return None


def _within_cell(places: Iterable[int], each: Placed) -> list[int]:
    reach = range(each.start, each.start + len(each.cell.source) + 1)
    return [place - each.start for place in places if place in reach]


def _placed(cell: Cell, start: int) -> Placed:
    try:
        return Placed(cell, plain(cell.source), start)
    except AnalysisError as error:
        problem = error
    if cell.source[:1] in {" ", "\t"}:
        try:
            found = plain(_HEADER + cell.source)
        except AnalysisError:
            pass
        else:
            return Placed(cell, found.after(len(_HEADER)), start + len(_HEADER), _HEADER)
    nothing = Plain(_CHARACTER.sub(" ", cell.source), python=False)
    return Placed(cell, nothing, start, problem=problem)


def _ended(source: str) -> str:
    return source if source.endswith(("\n", "\r")) else source + "\n"
