"""A notebook: from its JSON to findings, with the edits of the JSON that fix them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.findings import unreadable
from neuron_migrate.engine.notebooks.cells import read
from neuron_migrate.engine.notebooks.edits import CellEdits
from neuron_migrate.engine.notebooks.magics import Plain, plain
from neuron_migrate.engine.texts.facts import Reading
from neuron_migrate.files.lines import Lines
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.analysis import Analyzer
    from neuron_migrate.engine.notebooks.cells import Cell
    from neuron_migrate.engine.texts.analysis import TextAnalyzer
    from neuron_migrate.finding import Finding


@dataclass(frozen=True, slots=True)
class _Placed:
    """A cell and where its code begins in the module of all cells."""

    cell: Cell
    plain: Plain
    start: int
    problem: AnalysisError | None = None


class NotebookAnalyzer:
    """The rules of a run, ready to look at one notebook after another."""

    def __init__(self, catalog: Catalog, python: Analyzer, texts: TextAnalyzer) -> None:
        self._catalog = catalog
        self._python = python
        self._texts = texts

    def analyse(self, text: str, path: str) -> list[Finding]:
        """The findings of a notebook, by cell and line.

        Raises AnalysisError for what is no notebook.
        """
        module = _Module(text, path)
        findings = self._python.analyse(module.python, path)
        findings += self._texts.findings(module.source, path, module.shell())
        placed = [module.located(finding) for finding in findings]
        placed += list(module.unread(self._catalog))
        return sorted(placed, key=lambda each: (each.cell or 0, each.line, each.column, each.code))

    def check(self, before: str, after: str, path: str) -> None:
        """Every cell that was Python is Python after.

        Raises AnalysisError.
        """
        old, new = _Module(before, path), _Module(after, path)
        broken = [each for each in new.cells if each.problem is not None]
        if len(broken) > sum(each.problem is not None for each in old.cells):
            assert broken[-1].problem is not None
            raise broken[-1].problem
        self._python.check(old.python, new.python, path)


class _Module:
    """The cells of a notebook in order, as one text."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.cells: list[_Placed] = []
        start = 0
        for cell in read(text):
            self.cells.append(_placed(cell, start))
            start += len(_ended(cell.source))
        self.python = "".join(_ended(each.plain.text) for each in self.cells)
        self.source = "".join(_ended(each.cell.source) for each in self.cells)
        self._starts = [each.start for each in self.cells]
        self._lines = Lines(self.source)

    def shell(self) -> Reading:
        """What the shell code and the magics of the cells do."""
        from neuron_migrate.engine.notebooks.commands import facts

        reading = Reading()
        for each in self.cells:
            found = facts(each.plain, each.cell.source, each.start)
            reading.facts += found.facts
            reading.comments += found.comments
        return reading

    def located(self, finding: Finding) -> Finding:
        """A finding about the module as one about its cell."""
        offset = self._lines.offset(finding.line, finding.column)
        each = self._at(offset)
        first = self._lines.position(each.start)[0]
        return msgspec.structs.replace(
            finding,
            cell=each.cell.number,
            line=finding.line - first + 1,
            end_line=finding.end_line - first + 1,
            edits=tuple(sorted({self._translated(edit) for edit in finding.edits})),
        )

    def unread(self, catalog: Catalog) -> Iterator[Finding]:
        """The cells that are no Python."""
        for each in self.cells:
            if each.problem is not None:
                reason, line, column = each.problem.reason, each.problem.line, each.problem.column
                finding = unreadable(catalog, self.path, f"the cell has a {reason}", line, column)
                yield msgspec.structs.replace(finding, cell=each.cell.number)

    def _translated(self, edit: Edit) -> Edit:
        each = self._at(edit.start, insertion=edit.start == edit.end)
        moved = Edit(edit.start - each.start, edit.end - each.start, edit.text)
        return CellEdits(each.cell, self.text).translated(moved)

    def _at(self, offset: int, *, insertion: bool = False) -> _Placed:
        """The cell that holds an offset; a line is inserted at the end of a cell, not after it."""
        index = bisect_right(self._starts, offset) - 1
        if insertion and index and self._starts[index] == offset:
            index -= 1
        while not self.cells[index].cell.source and index:
            index -= 1
        return self.cells[index]


def _placed(cell: Cell, start: int) -> _Placed:
    try:
        return _Placed(cell, plain(cell.source), start)
    except AnalysisError as error:
        return _Placed(cell, Plain(re.sub(r"[^\n]", " ", cell.source)), start, error)


def _ended(source: str) -> str:
    return source if source.endswith("\n") else source + "\n"
