"""Findings and edits of the engine as places and edits in what the editor shows."""

from __future__ import annotations

import json
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec
from lsprotocol import types

from neuron_migrate.api.places import in_text
from neuron_migrate.engine.notebooks.cells import read
from neuron_migrate.finding import Edit
from neuron_migrate.report.located import Region
from neuron_migrate.server.positions import Positions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.engine.notebooks.cells import Cell
    from neuron_migrate.finding import Finding
    from neuron_migrate.server.snapshots import Snapshot, View

Edits = dict[str, list[types.TextEdit]]
"""By the URI of the text."""


class Spot(msgspec.Struct, frozen=True):
    """A finding and where the editor shows it."""

    finding: Finding
    view: View
    range: types.Range


class Spots:
    """The way from one snapshot's offsets to the editor's positions."""

    def __init__(self, snapshot: Snapshot, encoding: str) -> None:
        self._snapshot = snapshot
        self._positions = {view.uri: Positions(view.text, encoding) for view in snapshot.views}

    def of(self, findings: Iterable[Finding], path: str) -> Iterator[Spot]:
        """The findings of the text with their places."""
        if not self._has_cells:
            view = self._snapshot.views[0]
            for each in in_text(view.text.removeprefix("\ufeff"), path, findings):
                yield Spot(each.finding, view, self._positions[view.uri].of_region(each.region))
            return
        views = {view.cell: view for view in self._snapshot.views}
        for finding in findings:
            if self._snapshot.views:
                view = views.get(finding.cell, self._snapshot.views[0])
                yield Spot(finding, view, self._positions[view.uri].of_region(_region(finding)))

    def edits(self, edits: Iterable[Edit]) -> Edits:
        """Edits of the text as the editor's."""
        found: Edits = {}
        for edit in sorted(set(edits)):
            view, within = (
                self._within(edit) if self._has_cells else (self._snapshot.views[0], edit)
            )
            range_ = self._positions[view.uri].range(within.start, within.end)
            found.setdefault(view.uri, []).append(types.TextEdit(range_, within.text))
        return found

    def in_view(self, view: View, edits: Iterable[Edit]) -> list[types.TextEdit]:
        """Edits of one shown text as the editor's."""
        positions = self._positions[view.uri]
        return [types.TextEdit(positions.range(e.start, e.end), e.text) for e in edits]

    @cached_property
    def _has_cells(self) -> bool:
        return not self._snapshot.views or self._snapshot.views[0].cell is not None

    @cached_property
    def _cells(self) -> list[tuple[View, Cell, list[int]]]:
        """The cells, and where in the JSON each of their characters begins."""
        views = {view.cell: view for view in self._snapshot.views}
        return [(views[cell.number], cell, _offsets(cell)) for cell in read(self._snapshot.text)]

    def _within(self, edit: Edit) -> tuple[View, Edit]:
        """The shown text that an edit belongs to, and the edit in it."""
        if not self._has_cells:
            return self._snapshot.views[0], edit
        for view, cell, offsets in self._cells:
            if cell.span.start < edit.start < cell.span.end:
                text = json.loads(f'"{edit.text}"', strict=False)
                return view, Edit(offsets.index(edit.start), offsets.index(edit.end), text)
        raise ValueError("an edit of a notebook that is in no cell")


def _offsets(cell: Cell) -> list[int]:
    sizes = (len(json.dumps(each, ensure_ascii=False)) - 2 for each in cell.source)
    return list(accumulate(sizes, initial=cell.span.start + 1))


def _region(finding: Finding) -> Region:
    if finding.cell is None:
        return Region(1, 1, 1, 1)
    return Region(finding.line, finding.column, finding.end_line, finding.end_column)
