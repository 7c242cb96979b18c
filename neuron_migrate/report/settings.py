"""The settings of a run, each with who decides it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from neuron_migrate.settings import Settings

COMMAND_LINE = "command line"
DEFAULT = "default"


def render(settings: Settings, origins: Mapping[str, str]) -> str:
    """A line for each setting: its value, as JSON writes it, and its origin in parentheses."""
    return "".join(
        f"{name} = {json.dumps(value)} ({origin})\n"
        for name, value, origin in _told(settings, origins)
    )


def render_json(settings: Settings, origins: Mapping[str, str]) -> str:
    """The same as a document."""
    told = {
        name: {"value": value, "origin": origin} for name, value, origin in _told(settings, origins)
    }
    return json.dumps({"schema": 1, "settings": told}, indent=2) + "\n"


def _told(settings: Settings, origins: Mapping[str, str]) -> Iterator[tuple[str, object, str]]:
    values = msgspec.to_builtins(msgspec.structs.asdict(settings), enc_hook=str)
    for name, value in values.items():
        yield name.replace("_", "-"), value, origins.get(name, DEFAULT)
