"""What kind of configuration a document is, by what it holds, and the facts in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.nodes import Mapping
from neuron_migrate.engine.texts.shapes import services, settings
from neuron_migrate.engine.texts.shapes.kinds import UNKNOWN, of_document

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.facts import Reading
    from neuron_migrate.engine.texts.nodes import Node

__all__ = ["UNKNOWN", "add"]


def add(root: Node, source: str, path: str, reading: Reading) -> None:
    """Add the facts of a document to those of its file."""
    if not isinstance(root, Mapping):
        return
    kind = of_document(root, path)
    reading.facts += settings.settings(root, source, kind)
    if kind in services.KINDS:
        services.Started(source, kind, reading).read(root)
