"""What must hold of a fixed notebook as a document, whatever its cells say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import nbformat

if TYPE_CHECKING:
    from collections.abc import Iterator


def faults_between(before: str, after: str) -> Iterator[str]:
    """What is wrong with a notebook after a fix."""
    old, new = json.loads(before), json.loads(after)
    pairs = list(zip(_code(old), _code(new), strict=True))
    for (cell, key), (other, _) in pairs:
        one, two = cell[key], other[key]
        if type(one) is not type(two):
            yield f"a source of {type(one).__name__} has become one of {type(two).__name__}"
        elif isinstance(one, list) and _are_lines(one) and not _are_lines(two):
            yield f"{two!r} are not lines"
        cell[key] = other[key] = None
    if old != new:
        yield "something changed that is not the source of a code cell"
    if _is_valid(json.loads(before)) and not _is_valid(json.loads(after)):
        yield "the format is no longer valid"


def _code(notebook: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    sheets = [notebook, *notebook.get("worksheets", [])]
    for cell in (cell for sheet in sheets for cell in sheet.get("cells", [])):
        key = "source" if notebook["nbformat"] == 4 else "input"
        if cell["cell_type"] == "code" and key in cell:
            yield cell, key


def _are_lines(parts: list[str]) -> bool:
    """One line each; an empty one says nothing."""
    spoken = [part for part in parts if part]
    ended = all(part.endswith("\n") for part in spoken[:-1])
    return ended and not any("\n" in part[:-1] for part in spoken)


def _is_valid(notebook: dict[str, Any]) -> bool:
    try:
        nbformat.validate(
            notebook, version=notebook["nbformat"], version_minor=notebook.get("nbformat_minor")
        )
    except nbformat.ValidationError:
        return False
    return True
