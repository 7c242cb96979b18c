"""``neuron-migrate fix``: show what would be rewritten, or write it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from neuron_migrate.cli import options as o

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult


def fix(
    paths: o.PathsArgument = None,
    apply: o.ApplyOption = False,
    interactive: o.InteractiveOption = False,
    unsafe: o.UnsafeOption = None,
    patch: o.PatchOption = None,
    target: o.TargetOption = None,
    sdk: o.SdkOption = None,
    select: o.SelectOption = None,
    ignore: o.IgnoreOption = None,
    extend_select: o.ExtendSelectOption = None,
    exclude: o.ExcludeOption = None,
    force_exclude: o.ForceExcludeOption = False,
    include_docs: o.IncludeDocsOption = None,
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
    """Show the diff of what can be rewritten; with --apply, write it; with -i, ask about each fix.

    With - as the path, standard output has the diff (with --apply: the fixed code) and nothing
    else. Exit status: 0 nothing left to do, 1 something would change or is left, 2 error.
    """
    given = locals()
    raise typer.Exit(run(o.Options(**given)))


def run(options: o.Options) -> int:
    """Fix and report; the exit status."""
    from neuron_migrate.cli import session

    if options.show_settings:
        return session.show_settings(options)
    if options.interactive:
        return _interactive(options)
    found = session.run(options, fix=True)
    if options.stdin:
        return _standard_input(found)
    return _write(found) if options.apply else _preview(found)


def _interactive(options: o.Options) -> int:
    from neuron_migrate.cli import interactive

    chosen = interactive.ask(options)
    return chosen if isinstance(chosen, int) else _write(chosen.session)


def _preview(found: Session) -> int:
    from neuron_migrate.cli.output import write_file
    from neuron_migrate.cli.present import present

    plan = found.run.plan()
    if found.options.patch:
        write_file(found.options.patch, plan.diff())
    present(found, found.results, stream=sys.stdout, diff=plan.shown())
    return _status(found, found.results, plan.problems)


def _write(found: Session) -> int:
    """The patch comes first: when it cannot be written, nothing is."""
    from neuron_migrate.api import rewriting
    from neuron_migrate.cli.output import write_file
    from neuron_migrate.cli.present import present

    plan = found.run.plan()
    if found.options.patch:
        write_file(found.options.patch, plan.diff())
    outcome = rewriting.write(plan, found.run)
    present(found, outcome.results, stream=sys.stdout, written=outcome.written)
    return _status(found, outcome.results, outcome.problems)


def _standard_input(found: Session) -> int:
    """The product goes to standard output and the report to standard error, as formatters do."""
    from neuron_migrate.api import changes
    from neuron_migrate.cli.output import emit, write_file
    from neuron_migrate.cli.present import present
    from neuron_migrate.report.listing import after_fix

    [result] = found.results
    change, problems = changes.of_text(found.stdin or b"", result)
    diff, applied = change.diff(), found.options.apply
    if found.options.patch:
        write_file(found.options.patch, diff)
    emit(change.after if applied else diff, sys.stdout)
    results = after_fix(found.results) if applied and not problems else found.results
    written = [change] if applied and not problems else None
    present(found, results, stream=sys.stderr, written=written)
    return _status(found, results, problems)


def _status(found: Session, results: Sequence[FileResult], problems: Sequence[str]) -> int:
    from neuron_migrate.cli.output import say
    from neuron_migrate.cli.status import ERROR, status

    for problem in problems:
        say(f"error: {problem}")
    return ERROR if problems else status(found, results)
