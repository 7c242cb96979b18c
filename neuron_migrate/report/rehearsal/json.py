"""A rehearsal as JSON, schema 1; keys are only ever added."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import __version__
from neuron_migrate.finding import BUCKET

if TYPE_CHECKING:
    from neuron_migrate.rehearsal.model import Rehearsal

SCHEMA = 1


def render(rehearsal: Rehearsal, *, sdk: str) -> str:
    """The document, in ASCII so that any path survives any stream."""
    document = {
        "schema": SCHEMA,
        "tool": {"name": "neuron-migrate", "version": __version__},
        "simulation": True,
        "sdk": sdk,
        "padded_to": BUCKET,
        **msgspec.to_builtins(rehearsal),
    }
    return json.dumps(document, indent=2) + "\n"
