"""``neuron-migrate doctor``: this machine and this project against the supported matrix."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from neuron_migrate.cli import options as o  # noqa: TC001 - typer reads the annotations


class DoctorFormat(str, Enum):
    TEXT = "text"
    JSON = "json"


def doctor(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="PATHS", help="The project. [default: .]", readable=False),
    ] = None,
    sdk: o.SdkOption = None,
    python: Annotated[
        str | None,
        typer.Option(
            "--python",
            metavar="PATH",
            help="Look at the packages of this interpreter or environment.",
        ),
    ] = None,
    imds: Annotated[
        bool, typer.Option("--imds", help="Ask the metadata service of EC2 for the instance type.")
    ] = False,
    output_format: Annotated[
        DoctorFormat, typer.Option("--output-format", help="How to print.")
    ] = DoctorFormat.TEXT,
    config: o.ConfigOption = None,
) -> None:
    """Say whether this machine and project fit what Neuron supports.

    Exit status: 0 it fits as far as can be seen, 1 something does not, 2 usage error.
    """
    from neuron_migrate.catalog import loader
    from neuron_migrate.cli.output import show
    from neuron_migrate.cli.status import FOUND, OK
    from neuron_migrate.config import load
    from neuron_migrate.doctor.diagnosis import diagnose
    from neuron_migrate.report import doctor as text
    from neuron_migrate.report import doctor_json

    settings, _ = load(config, Path.cwd())
    catalog = loader.load(settings.rules, sdk or settings.sdk, cached=settings.cache)
    found = diagnose(paths or [Path()], catalog, settings, python=python, ask=imds)
    render = doctor_json.render if output_format is DoctorFormat.JSON else text.render
    show(render(found))
    raise typer.Exit(OK if found.fit else FOUND)
