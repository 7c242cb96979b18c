"""From the findings of a text to their places in it: those of a notebook stand in its JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.lines import Lines
from neuron_migrate.report.located import Located, Region, Replacement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.engine.notebooks.cells import Cell
    from neuron_migrate.finding import Edit, Finding


def in_text(text: str | None, path: str, findings: Iterable[Finding]) -> Iterator[Located]:
    """The findings with their places; as they are when there is no text to look into."""
    if text is None:
        yield from (Located(finding=each, region=_as_given(each)) for each in findings)
        return
    lines, notebook = Lines(text), kind_of(path) is Kind.NOTEBOOK
    cells = _cells(text) if notebook else {}
    for finding in findings:
        place = _cell(finding, cells, text, lines) if finding.cell else None
        region, line = place or (_as_given(finding), _line(text, lines, finding.line))
        yield Located(
            finding=finding,
            region=region,
            line=line,
            replacements=_replacements(lines, finding.edits),
        )


def _as_given(finding: Finding) -> Region:
    if finding.cell:  # its lines are those of the cell, and would name others of the file
        return Region(1, 1, 1, 1)
    return Region(finding.line, finding.column, finding.end_line, finding.end_column)


def _line(text: str, lines: Lines, number: int) -> str:
    try:
        return text[lines.offset(number, 1) : lines.next_line(number)].strip()
    except ValueError:
        return ""


def _replacements(lines: Lines, edits: Iterable[Edit]) -> tuple[Replacement, ...]:
    """The edits by lines and columns; none when the file has become too short for them."""
    try:
        return tuple(
            Replacement(Region(*lines.position(e.start), *lines.position(e.end)), e.text)
            for e in edits
        )
    except ValueError:
        return ()


def _cells(text: str) -> dict[int, Cell]:
    from neuron_migrate.engine.analysis import AnalysisError
    from neuron_migrate.engine.notebooks.cells import read

    try:
        return {cell.number: cell for cell in read(text)}
    except AnalysisError:
        return {}


def _cell(
    finding: Finding, cells: dict[int, Cell], text: str, lines: Lines
) -> tuple[Region, str] | None:
    """The region of the JSON that holds what was found in a cell, and the line of code."""
    from neuron_migrate.engine.notebooks.edits import CellEdits
    from neuron_migrate.finding import Edit

    cell = cells.get(finding.cell or 0)
    if cell is None or not cell.parts:
        return None
    edits, code = CellEdits(cell, text), Lines(cell.source)

    def position(line: int, column: int) -> tuple[int, int]:
        offset = code.offset(line, column)
        return lines.position(edits.translated([Edit(offset, offset, "x")])[0].start)

    try:
        start = position(finding.line, finding.column)
        end = position(finding.end_line, finding.end_column)
    except ValueError:
        return None
    return Region(*start, *end), _line(cell.source, code, finding.line)
