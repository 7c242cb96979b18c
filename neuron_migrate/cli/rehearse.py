"""``neuron-migrate rehearse``: run a migrated program on a simulated Neuron device."""

from __future__ import annotations

from enum import Enum
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, cast

import typer

from neuron_migrate.cli import options as o  # noqa: TC001 - typer reads the annotations

if TYPE_CHECKING:
    from neuron_migrate.finding import Target
    from neuron_migrate.rehearsal.model import Rehearsal


class RehearsalFormat(str, Enum):
    TEXT = "text"
    JSON = "json"
    HTML = "html"


def rehearse(
    program: Annotated[
        list[str],
        typer.Argument(
            metavar="SCRIPT [ARGS]...", help="The program; all that follows it is the program's."
        ),
    ],
    module: Annotated[
        bool, typer.Option("-m", help="SCRIPT is the name of a module, as after python -m.")
    ] = False,
    cores: Annotated[
        int | None,
        typer.Option(
            "--cores", min=1, metavar="N", help="Logical cores of the device. [default: 4]"
        ),
    ] = None,
    python: Annotated[
        str | None,
        typer.Option(
            "--python", metavar="PATH", help="The interpreter or environment that has torch."
        ),
    ] = None,
    output_format: Annotated[
        RehearsalFormat, typer.Option("--output-format", help="How to print the report.")
    ] = RehearsalFormat.TEXT,
    output: o.OutputOption = None,
    keep_recording: Annotated[
        Path | None,
        typer.Option("--keep-recording", metavar="DIR", help="Leave the recording in this folder."),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            "--compare",
            metavar="cpu|SCRIPT",
            help="Run it on the CPU too, or the program before its migration, and compare what"
            " they print and save.",
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance",
            min=0,
            metavar="X",
            help="With --compare: how far apart equal numbers may be, relatively. [default: 1e-05]",
        ),
    ] = None,
    target: o.TargetOption = None,
    sdk: o.SdkOption = None,
    config: o.ConfigOption = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print the faults only, on standard error.")
    ] = False,
) -> None:
    """Run a migrated program on this CPU with a simulated Neuron device, and report what it did.

    Exit status: the program's own; 3 when it ends well but the rehearsal finds a fault: nothing
    ran on the device, an operator is documented not to compile, a core's memory is exceeded, or
    --compare finds other numbers; 2 usage error.
    """
    from neuron_migrate.api.migrator import Migrator
    from neuron_migrate.cli import rehearsing

    migrator = Migrator.configured(
        config=config, target=cast("Target | None", target and target.value), sdk=sdk
    )
    asked = rehearsing.Asked(
        program=(*(["-m"] if module else []), *program),
        cores=cores,
        python=python,
        recording=keep_recording,
        compare=compare,
        **({} if tolerance is None else {"tolerance": tolerance}),
    )
    rehearsing.check(asked, output)
    rehearsal = rehearsing.rehearse(asked, migrator)
    if output is not None or not quiet:
        rehearsing.deliver(_document(rehearsal, output_format, migrator.catalog.sdk), output)
    if quiet:
        rehearsing.complain(rehearsal)
    raise typer.Exit(rehearsing.status(rehearsal))


def _document(rehearsal: Rehearsal, output_format: RehearsalFormat, sdk: str) -> str:
    from neuron_migrate.report.rehearsal import json, text

    if output_format is RehearsalFormat.JSON:
        return json.render(rehearsal, sdk=sdk)
    if output_format is RehearsalFormat.HTML:
        from neuron_migrate.report.rehearsal import page  # jinja2 is for this format only

        return page.render(rehearsal, sdk=sdk)
    return text.render(rehearsal, sdk=sdk)
