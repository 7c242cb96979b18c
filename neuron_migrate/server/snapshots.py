"""What is open, at one moment, as the engine reads it: a text, or a notebook of cells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
from lsprotocol import types

from neuron_migrate.server.documents import Place, place_of

if TYPE_CHECKING:
    from pygls.workspace import Workspace


class View(msgspec.Struct, frozen=True):
    """A text that the editor shows."""

    uri: str
    version: int | None
    text: str
    cell: int | None = None
    """Its number in the notebook it is a cell of."""


class Snapshot(msgspec.Struct, frozen=True):
    """What is looked at as one."""

    key: str
    """The URI of the text, or of the notebook."""
    place: Place
    text: str
    """As the engine reads it: of a notebook, its JSON."""
    views: tuple[View, ...]


def snapshot(workspace: Workspace, uri: str) -> Snapshot | None:
    """The open text of a URI, or the open notebook that it is, or is in; None for another."""
    notebook = workspace.get_notebook_document(notebook_uri=uri) or workspace.get_notebook_document(
        cell_uri=uri
    )
    if notebook is not None:
        return _of_cells(workspace, notebook)
    opened = {each.uri: each for each in workspace.text_documents.values()}
    if uri not in opened:
        return None
    text = opened[uri]
    view = View(uri, text.version, text.source)
    return Snapshot(uri, place_of(uri, text.language_id), text.source, (view,))


def _of_cells(workspace: Workspace, notebook: types.NotebookDocument) -> Snapshot:
    opened = {each.uri: each for each in workspace.text_documents.values()}
    views, cells = [], []
    for number, cell in enumerate(notebook.cells, 1):
        text = opened.get(cell.document)
        is_code = cell.kind == types.NotebookCellKind.Code
        shown = text is not None and is_code and text.language_id in (None, "", "python")
        source = text.source if text is not None and shown else ""
        if text is not None and shown:
            views.append(View(text.uri, text.version, source, number))
        cells.append({"cell_type": "code" if shown else "raw", "source": source})
    document = json.dumps({"nbformat": 4, "cells": cells}, ensure_ascii=False)
    place = place_of(notebook.uri, None)
    if not place.name.endswith(".ipynb"):
        place = msgspec.structs.replace(place, name="untitled.ipynb")
    return Snapshot(notebook.uri, place, document, tuple(views))
