"""The keys of the configuration, from its schema and the settings they decide."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import msgspec
import typer
from sphinx.pycode import ModuleAnalyzer

from neuron_migrate.cli.app import app
from neuron_migrate.config import Table
from site_pages import markdown as md

if TYPE_CHECKING:
    from collections.abc import Iterator

_INTRO = """\
`[tool.neuron-migrate]` in `pyproject.toml`, or the same keys at the top of `neuron-migrate.toml`. \
The nearest such file in the working folder or above it holds; the command line wins over it. \
`neuron-migrate check --show-settings` prints each setting and who decides it. An unknown key \
is an error that names it."""


def render() -> str:
    """A table of keys, with what each means, accepts and is by default."""
    meanings = {**_helps(), **_docs()}
    rows = [
        (
            md.code(field.encode_name),
            md.prose(meanings.get(field.name, "")),
            md.prose(_accepted(field.encode_name)),
            _default(field),
        )
        for field in msgspec.structs.fields(Table)
    ]
    return md.page(
        "Configuration",
        _INTRO,
        md.table(("Key", "Meaning", "Accepts", "Default"), rows),
        "Editors find the keys in the [JSON schema](schemas.md). Examples are in "
        "[Silence and configure](../guides/configuration.md).",
    )


def _accepted(key: str) -> str:
    _, parts = msgspec.json.schema_components([Table])
    return str(parts["Table"]["properties"][key].get("description", ""))


def _default(field: msgspec.structs.FieldInfo) -> str:
    """As TOML has it, which is as JSON has it but for a null, and that it cannot say."""
    made = field.default_factory
    value = field.default if made is msgspec.NODEFAULT else made()
    return "not set" if value is None else md.code(json.dumps(msgspec.to_builtins(value)))


def _docs() -> dict[str, str]:
    """What stands under the settings, and under the keys, of those names."""
    found: dict[tuple[str, str], list[str]] = {}
    for module in ("neuron_migrate.settings", "neuron_migrate.config"):
        found |= ModuleAnalyzer.for_module(module).find_attr_docs()
    owners = ("Settings", "Table")
    said = {name: " ".join(lines) for (owner, name), lines in found.items() if owner in owners}
    return {name: text.replace("``", "`").strip() for name, text in said.items()}


def _helps() -> dict[str, str]:
    """What the options of those names say."""
    return {name: said.partition("[default")[0].strip() for name, said in _options()}


def _options() -> Iterator[tuple[str, str]]:
    check: Any = typer.main.get_command(app)
    context = typer.Context(check)
    for command in map(check.commands.get, ("fix", "check")):
        for parameter in command.get_params(context):
            record = parameter.get_help_record(context)
            yield parameter.name, record[1] if record else ""
