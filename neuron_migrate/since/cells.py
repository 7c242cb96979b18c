"""Which lines of the cells of a notebook are new, wherever in the JSON they stand."""

from __future__ import annotations

from difflib import SequenceMatcher

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.notebooks.cells import read
from neuron_migrate.files.lines import LINE_END
from neuron_migrate.files.source import SourceError, decode

Place = tuple[int, int]
"""A cell and a line of it, both from 1."""


def new_lines(before: bytes, after: bytes) -> frozenset[Place]:
    """The lines of the notebook after that the one before does not have there."""
    places, lines = _lines(after)
    try:
        old = _lines(before)[1]
    except (AnalysisError, SourceError):
        return frozenset(places)
    matcher = SequenceMatcher(None, old, lines, autojunk=False)
    return frozenset(
        place
        for kind, _, _, start, end in matcher.get_opcodes()
        if kind != "equal"
        for place in places[start:end]
    )


def _lines(notebook: bytes) -> tuple[list[Place], list[str]]:
    pairs = [
        ((cell.number, number), line)
        for cell in read(decode(notebook).text)
        for number, line in enumerate(LINE_END.split(cell.source), 1)
    ]
    return [place for place, _ in pairs], [line for _, line in pairs]
