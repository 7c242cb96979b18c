"""``neuron-migrate check``: say what is there and change nothing."""

from __future__ import annotations

import sys

import typer

from neuron_migrate.cli import options as o


def check(
    paths: o.PathsArgument = None,
    target: o.TargetOption = None,
    sdk: o.SdkOption = None,
    select: o.SelectOption = None,
    ignore: o.IgnoreOption = None,
    extend_select: o.ExtendSelectOption = None,
    exclude: o.ExcludeOption = None,
    force_exclude: o.ForceExcludeOption = False,
    include_docs: o.IncludeDocsOption = None,
    baseline: o.BaselineOption = None,
    write_baseline: o.WriteBaselineOption = None,
    diff_base: o.DiffBaseOption = None,
    shard: o.ShardOption = None,
    write_part: o.WritePartOption = None,
    fail_on: o.FailOnOption = None,
    show_advice: o.ShowAdviceOption = None,
    output_format: o.FormatOption = None,
    output: o.OutputOption = None,
    rehearsal: o.RehearsalOption = None,
    exit_zero: o.ExitZeroOption = False,
    jobs: o.JobsOption = None,
    no_cache: o.NoCacheOption = False,
    config: o.ConfigOption = None,
    stdin_filename: o.StdinFilenameOption = None,
    statistics: o.StatisticsOption = False,
    show_settings: o.ShowSettingsOption = False,
    color: o.ColorOption = o.Color.AUTO,
    no_color: o.NoColorOption = False,
    quiet: o.QuietOption = False,
) -> None:
    """Report what will not run well on Trainium, and change nothing.

    Exit status: 0 nothing found, 1 findings at --fail-on or worse, 2 usage error.
    """
    given = locals()
    raise typer.Exit(run(o.Options(**given)))


def run(options: o.Options) -> int:
    """Check and report; the exit status."""
    from neuron_migrate.cli import session
    from neuron_migrate.cli.present import present
    from neuron_migrate.cli.status import status

    if options.show_settings:
        return session.show_settings(options)
    found = session.run(options, fix=False)
    if options.write_part is not None:
        from neuron_migrate.cli import part  # which imports what pages are made of

        part.write(found)
    present(found, found.results, stream=sys.stdout)
    return status(found, found.results)
