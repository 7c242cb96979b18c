"""New lines of a notebook, by its cells."""

from __future__ import annotations

import json

from neuron_migrate.since.cells import new_lines


def notebook(*cells: str, indent: int | None = None) -> bytes:
    made = [{"cell_type": "code", "source": cell, "outputs": [cell]} for cell in cells]
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}
    return json.dumps(document, indent=indent).encode()


def test_cells_that_only_moved_are_not_new() -> None:
    before = notebook("a = 1\nb = 2", "c = 3")
    after = notebook("new()", "a = 1\nb = 2", "c = 3\nd()", indent=1)
    assert new_lines(before, after) == {(1, 1), (3, 2)}


def test_everything_is_new_where_there_was_no_notebook() -> None:
    for before in (b"", b"{}", b"\xff"):
        assert new_lines(before, notebook("a\nb")) == {(1, 1), (1, 2)}
