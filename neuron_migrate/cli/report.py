"""``neuron-migrate report``: what to do with reports that are there."""

from __future__ import annotations

from typing import Annotated

import typer

from neuron_migrate.cli import options as o

report = typer.Typer(name="report", rich_markup_mode=None, help="Work on what checks have found.")

PartsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PARTS",
        help="Files that check --write-part wrote, or folders of them. NAME=FILE is the part of"
        " another repository, whose paths are shown in the folder NAME.",
    ),
]


@report.callback(invoke_without_command=True)
def _report(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        from neuron_migrate.cli.output import show
        from neuron_migrate.cli.status import ERROR

        show(context.get_help() + "\n")
        raise typer.Exit(ERROR)


@report.command()
def merge(
    parts: PartsArgument,
    write_baseline: o.WriteBaselineOption = None,
    fail_on: o.FailOnOption = None,
    show_advice: o.ShowAdviceOption = None,
    output_format: o.FormatOption = o.OutputFormat.TEXT,
    output: o.OutputOption = None,
    exit_zero: o.ExitZeroOption = False,
    statistics: o.StatisticsOption = False,
    color: o.ColorOption = o.Color.AUTO,
    no_color: o.NoColorOption = False,
    quiet: o.QuietOption = False,
) -> None:
    """Report several parts as one, exactly as a check of everything would.

    Reads the parts and nothing else. Exit status: as that of check.
    """
    given = locals()
    raise typer.Exit(_run(given.pop("parts"), o.Options(**given)))


def _run(parts: list[str], options: o.Options) -> int:
    from neuron_migrate.cli import merge

    return merge.run(parts, options)
