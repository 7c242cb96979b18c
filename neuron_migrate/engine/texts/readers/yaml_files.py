"""Configurations in YAML: of launchers, trainers, containers, clusters and workflows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts import shapes
from neuron_migrate.engine.texts.facts import ReadError, Reading
from neuron_migrate.engine.texts.readers import conda
from neuron_migrate.engine.texts.readers.yaml_tree import comments, documents

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.nodes import Node

_DEPENDENCIES = re.compile(r"^dependencies[ \t]*:[ \t]*(?:#[^\r\n]*)?$", re.MULTILINE)
_TEMPLATE_LINE = re.compile(
    r"^[ \t]*(?:-[ \t]+)?(?:\{\{[^{}\r\n]*\}\}|\{%[^\r\n]*%\})[ \t]*$", re.MULTILINE
)
_TEMPLATE = re.compile(r"\{\{[^{}\r\n]*\}\}|\{%[^\r\n]*?%\}|\{#[^\r\n]*?#\}")


def read(text: str, path: str) -> Reading:
    """The facts of a file with one or more documents."""
    reading = Reading()
    code, roots = _documents(text)
    for root in roots:
        shapes.add(root, code, path, reading)
    reading.comments += comments(code, roots)
    if _DEPENDENCIES.search(text):
        reading.facts += conda.read(text, path).facts
    return reading


def _documents(text: str) -> tuple[str, list[Node]]:
    """The documents of a text, and what they were read from.

    A template, such as a chart of Helm has, is YAML in most of its lines: what it fills in is
    taken for values that are not known.
    """
    try:
        return text, documents(text)
    except ReadError:
        if not _TEMPLATE.search(text):
            raise
    code = _TEMPLATE_LINE.sub(lambda match: " " * len(match[0]), text)
    code = _TEMPLATE.sub(lambda match: shapes.UNKNOWN * len(match[0]), code)
    try:
        return code, documents(code)
    except ReadError as error:
        raise ReadError(f"a template: {error.reason}", error.offset) from error
