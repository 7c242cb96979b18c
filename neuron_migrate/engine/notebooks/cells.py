"""The code cells of a notebook, and where their source stands in the JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.notebooks import places
from neuron_migrate.engine.texts.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.notebooks.places import Place

_SOURCES = {3: "input", 4: "source"}
"""The key of a cell's source, by the major version of the format."""
_OTHER_KERNELS = re.compile(
    r"ir|(?:julia|bash|scala|spylon|javascript|deno|typescript|rust|xcpp|\.net)\b.*", re.IGNORECASE
)
"""Kernels of other languages, for notebooks that do not say their language."""


@dataclass(frozen=True, slots=True)
class Part:
    """One string of a cell's source."""

    text: str
    span: Span
    """In the file, with the quotes."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell."""

    number: int
    """Its place among all cells, from 1."""
    parts: tuple[Part, ...]
    listed: bool
    """True for a list of lines, False for one string."""
    span: Span
    """Of the list or the string."""
    source: str


def read(text: str) -> list[Cell]:
    """The code cells of a notebook in Python; none for one in another language.

    Raises AnalysisError for what is no notebook.
    """
    document = _parsed(text)
    major = document.get("nbformat") if isinstance(document, dict) else None
    if not isinstance(major, int):
        raise AnalysisError("not a notebook: it has no nbformat")
    if major not in _SOURCES:
        raise AnalysisError(f"nbformat {major} is not one that is read (3 and 4 are)")
    if not _is_python(document):
        return []
    return [
        cell
        for number, place in enumerate(_cells(text, major), 1)
        if (cell := _cell(text, place, number, _SOURCES[major])) is not None
    ]


def sources(text: str) -> dict[int, str]:
    """The code of each code cell, by its number.

    Raises AnalysisError for what is no notebook.
    """
    return {cell.number: cell.source for cell in read(text)}


def _parsed(text: str) -> dict[str, object]:
    try:
        return json.loads(text)  # type: ignore[no-any-return]
    except json.JSONDecodeError as error:
        raise AnalysisError(f"not valid JSON: {error.msg}", error.lineno, error.colno) from error
    except ValueError as error:  # a number with thousands of digits
        raise AnalysisError(f"not valid JSON: {error}") from error
    except RecursionError as error:
        raise AnalysisError("the JSON is nested too deeply") from error


def _is_python(document: dict[str, object]) -> bool:
    for section, key in (("language_info", "name"), ("kernelspec", "language")):
        language = _entry(document, "metadata", section, key)
        if isinstance(language, str) and language:
            return language.lower().startswith(("python", "ipython"))
    kernel = _entry(document, "metadata", "kernelspec", "name")
    return not isinstance(kernel, str) or _OTHER_KERNELS.fullmatch(kernel) is None


def _cells(text: str, major: int) -> Iterator[Place]:
    top = places.members(text, places.top(text))
    if major == 4:
        yield from _items(text, top.get("cells"))
        return
    for sheet in _items(text, top.get("worksheets")):
        yield from _items(text, _members(text, sheet).get("cells"))


def _cell(text: str, place: Place, number: int, key: str) -> Cell | None:
    if _entry(place.value, "cell_type") != "code" or not _is_python_cell(place.value):
        return None
    source = _members(text, place).get(key)
    if source is None:
        return None
    listed = isinstance(source.value, list)
    strings = list(_items(text, source)) if listed else [source]
    parts = []
    for each in strings:
        if not isinstance(each.value, str):
            return None
        parts.append(Part(each.value, Span(each.start, each.end)))
    code = "".join(part.text for part in parts)
    return Cell(number, tuple(parts), listed, Span(source.start, source.end), code)


def _is_python_cell(cell: object) -> bool:
    """Whether neither an old notebook nor VS Code gives the cell another language."""
    language = _entry(cell, "metadata", "vscode", "languageId") or _entry(cell, "language")
    return not isinstance(language, str) or language.lower().startswith(("python", "ipython"))


def _entry(value: object, *path: str) -> object:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _members(text: str, place: Place) -> dict[str, Place]:
    return places.members(text, place.start) if isinstance(place.value, dict) else {}


def _items(text: str, place: Place | None) -> Iterator[Place]:
    if place is not None and isinstance(place.value, list):
        yield from places.items(text, place.start)
