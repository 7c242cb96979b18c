"""The JSON schemas, as tables and as files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from site_pages import markdown as md

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def render(folder: Path) -> str:
    """Every schema in a folder that stands beside that of the page."""
    documents = {file.name: json.loads(file.read_text("utf-8")) for file in _files(folder)}
    parts = (_schema(name, document) for name, document in documents.items())
    return md.page("JSON schemas", *(part for each in parts for part in each))


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.json"))


def _schema(name: str, document: dict[str, Any]) -> Iterator[str]:
    yield f"## {md.prose(document.get('title', name))}"
    yield md.prose(document.get("description", ""))
    yield f"{{download}}`{name} <../schema/{name}>`"
    yield _table(document)
    for key, part in document.get("$defs", {}).items():
        yield f"### {md.code(key)}"
        yield md.prose(part.get("description", ""))
        yield _table(part) or f"One of {_values(part)}."


def _table(part: dict[str, Any]) -> str:
    required = part.get("required", [])
    rows = [
        (md.code(key), _type(said), "yes" if key in required else "", md.prose(_about(said)))
        for key, said in part.get("properties", {}).items()
    ]
    return md.table(("Key", "Type", "Always there", "Meaning"), rows) if rows else ""


def _about(said: dict[str, Any]) -> str:
    return str(said.get("description", ""))


def _type(said: dict[str, Any]) -> str:
    if "$ref" in said:
        return md.code(said["$ref"].rpartition("/")[2])
    for several in ("anyOf", "oneOf"):
        if several in said:
            return " or ".join(map(_type, said[several]))
    if "enum" in said or "const" in said:
        return _values(said)
    if "items" in said:
        return f"array of {_type(said['items'])}"
    kinds = said.get("type", "object")
    return " or ".join(kinds if isinstance(kinds, list) else [kinds])


def _values(said: dict[str, Any]) -> str:
    values = said.get("enum", [said.get("const")])
    return ", ".join(md.code(json.dumps(value)) for value in values)
