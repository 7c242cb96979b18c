"""The JSON schema of a rehearsal, made of the structs and what they say of themselves.

    python -m tests.rehearsal.schema

writes docs/schema/rehearsal.json.
"""

from __future__ import annotations

import ast
import inspect
import json
from pathlib import Path
from typing import Any

import msgspec

from neuron_migrate.rehearsal import model

FILE = Path(__file__).parents[2] / "docs/schema/rehearsal.json"
_HEAD: dict[str, Any] = {
    "schema": {"const": 1, "description": "The number of this schema."},
    "tool": {
        "type": "object",
        "description": "What wrote the document.",
        "required": ["name", "version"],
        "properties": {"name": {"const": "neuron-migrate"}, "version": {"type": "string"}},
    },
    "simulation": {"const": True, "description": "Nothing of this was seen on a Trainium."},
    "sdk": {"type": "string", "description": "The Neuron SDK release that the rules are for."},
    "padded_to": {"type": "integer", "description": "The multiple that lengths are padded to."},
}


def made() -> str:
    """The schema, with the document itself at the top."""
    (reference,), parts = msgspec.json.schema_components([model.Rehearsal])
    described = _described()
    for name, part in parts.items():
        part["required"] = list(part["properties"])
        for key, text in described[name].items():
            part["properties"][key] = {"description": text, **part["properties"][key]}
    whole = parts.pop(reference["$ref"].rpartition("/")[2])
    properties = {**_HEAD, **whole["properties"]}
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": "Written by tests/rehearsal/schema.py.",
        "title": "neuron-migrate rehearse --output-format json",
        "description": "What a rehearsal showed. Within schema 1 keys are only ever added, and"
        " values only ever added to an enumeration: ignore what you do not know.",
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "$defs": parts,
    }
    return json.dumps(document, indent=2) + "\n"


def _described() -> dict[str, dict[str, str]]:
    """What stands below each field of each struct."""
    classes = [
        each for each in ast.parse(inspect.getsource(model)).body if isinstance(each, ast.ClassDef)
    ]
    return {each.name: _fields(each) for each in classes}


def _fields(struct: ast.ClassDef) -> dict[str, str]:
    found: dict[str, str] = {}
    for field, text in zip(struct.body, struct.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            assert isinstance(field.target, ast.Name)
            found[field.target.id] = " ".join(ast.literal_eval(text.value).split())
    return found


if __name__ == "__main__":
    FILE.write_text(made())
