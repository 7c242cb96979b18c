"""``neuron-migrate rules``: the list of rules."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from neuron_migrate.cli import options as o  # noqa: TC001 - typer reads the annotations


class RulesFormat(str, Enum):
    TEXT = "text"
    JSON = "json"


def rules(
    sdk: o.SdkOption = None,
    config: o.ConfigOption = None,
    output_format: Annotated[
        RulesFormat, typer.Option("--output-format", help="How to print.")
    ] = RulesFormat.TEXT,
) -> None:
    """List every rule, the project's own included."""
    from neuron_migrate.catalog import loader
    from neuron_migrate.cli.output import show
    from neuron_migrate.config import load
    from neuron_migrate.report.rules import render, render_json

    settings, _ = load(config, Path.cwd())
    catalog = loader.load(settings.rules, sdk or settings.sdk, cached=settings.cache)
    if output_format is RulesFormat.JSON:
        show(render_json(catalog.rules, sdk=catalog.sdk))
    else:
        show(render(catalog.rules))
