"""The commands and their options, asked of the program itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import typer

from neuron_migrate.cli.app import app
from site_pages import markdown as md

if TYPE_CHECKING:
    from collections.abc import Iterator


_OPTION = re.compile(r"(?<![\w`-])--[a-z][a-z-]+")


def render() -> str:
    """Every command that is not hidden, those inside other commands included."""
    top = typer.main.get_command(app)
    context = typer.Context(top, info_name="neuron-migrate", **top.context_settings)
    return md.page(
        "Commands",
        "What `neuron-migrate COMMAND --help` prints. The exit status of every command is on "
        "[a page of its own](../exit-status.md); most options have a key of the same name in the "
        "[configuration](configuration.md).",
        *_command(top, context),
    )


def _command(command: Any, context: typer.Context) -> Iterator[str]:
    # Typer's commands come with Click or with Typer's own copy of it: no type covers both.
    yield f"## {command.name if context.parent is None else context.command_path}"
    yield md.paragraphs(_OPTION.sub(r"`\g<0>`", command.help or ""))
    yield md.fence(" ".join((context.command_path, *command.collect_usage_pieces(context))), "text")
    records = [
        (parameter.param_type_name, *parameter.get_help_record(context))
        for parameter in command.get_params(context)
        if parameter.get_help_record(context) is not None
    ]
    for kind in ("argument", "option"):
        rows = [
            (md.code(name), md.prose(_OPTION.sub(r"`\g<0>`", said)))
            for what, name, said in records
            if what == kind
        ]
        yield md.table((kind.capitalize(), "Meaning"), rows) if rows else ""
    for name in command.list_commands(context) if hasattr(command, "list_commands") else ():
        inner = command.get_command(context, name)
        if not inner.hidden:
            yield from _command(inner, typer.Context(inner, info_name=name, parent=context))
