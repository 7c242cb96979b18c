"""Notebooks of a few cells, read and fixed in memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from neuron_migrate.engine.notebooks.cells import sources
from tests.cases import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.cases import Run

PATH = "a.ipynb"


def document(*code: str | Sequence[str], **given: Any) -> str:
    """The JSON of a notebook with these code cells."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": each.splitlines(keepends=True) if isinstance(each, str) else each,
        }
        for each in code
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4, **given})


def fixed(*code: str | Sequence[str]) -> Run:
    """A safe fix of a notebook, for Neuron."""
    return run(document(*code).encode(), "neuron", path=PATH)


def after(*code: str | Sequence[str]) -> list[str]:
    """The code of the cells after a safe fix."""
    return [*sources(fixed(*code).fixed.text).values()]


def listed(*code: str | Sequence[str]) -> list[tuple[int | None, int, str]]:
    """Cell, line and code of each finding."""
    return [(each.cell, each.line, each.code) for each in fixed(*code).first]
