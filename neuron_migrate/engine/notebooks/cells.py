"""The code cells of a notebook, and where their source stands in the JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.texts.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from neuron_migrate.engine.texts.facts import Span

_SOURCES = {3: "input", 4: "source"}
"""The key of a cell's source, by the major version of the format."""


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
    opening: int
    """Where the list, or the string, begins in the file."""

    @property
    def source(self) -> str:
        """The code."""
        return "".join(part.text for part in self.parts)


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
    if _language(document) != "python":
        return []
    tree = Tree(text, "json")
    return [
        cell
        for number, node in enumerate(_cells(tree, major), 1)
        if (cell := _cell(node, number, tree, _SOURCES[major])) is not None
    ]


def _parsed(text: str) -> dict[str, object]:
    try:
        return json.loads(text)  # type: ignore[no-any-return]
    except json.JSONDecodeError as error:
        raise AnalysisError(f"not valid JSON: {error.msg}", error.lineno, error.colno) from error
    except RecursionError as error:
        raise AnalysisError("the JSON is nested too deeply") from error


def _language(document: dict[str, object]) -> str:
    metadata = document.get("metadata")
    known = metadata if isinstance(metadata, dict) else {}
    for section, key in (("language_info", "name"), ("kernelspec", "language")):
        table = known.get(section)
        if isinstance(table, dict) and isinstance(table.get(key), str):
            return str(table[key]).lower()
    return "python"


def _cells(tree: Tree, major: int) -> Iterator[Node]:
    top = tree.root.named_children[0]
    if major == 4:
        yield from _items(_value(top, "cells", tree))
        return
    for sheet in _items(_value(top, "worksheets", tree)):
        yield from _items(_value(sheet, "cells", tree))


def _cell(node: Node, number: int, tree: Tree, key: str) -> Cell | None:
    kind, source = _value(node, "cell_type", tree), _value(node, key, tree)
    if kind is None or source is None or tree.source(kind) != '"code"':
        return None
    listed = source.type == "array"
    strings = _items(source) if listed else [source]
    parts = tuple(
        Part(json.loads(tree.source(each)), tree.span(each))
        for each in strings
        if each.type == "string"
    )
    return Cell(number, parts, listed, tree.span(source).start)


def _value(node: Node | None, key: str, tree: Tree) -> Node | None:
    """The value of a key; of the last one, as Python's parser has it, where it comes twice."""
    found = None
    for pair in node.named_children if node is not None and node.type == "object" else ():
        name = pair.child_by_field_name("key")
        if name is not None and tree.source(name) == f'"{key}"':
            found = pair.child_by_field_name("value")
    return found


def _items(node: Node | None) -> list[Node]:
    return node.named_children if node is not None and node.type == "array" else []
