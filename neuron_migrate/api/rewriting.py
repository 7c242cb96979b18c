"""Writing what a fix has planned, so that undo can take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.apply.journal import Journal
from neuron_migrate.apply.write import ApplyError, replace
from neuron_migrate.report.listing import after_fix
from neuron_migrate.report.risk_text import Applied

if TYPE_CHECKING:
    from neuron_migrate.api.changes import Change, Plan
    from neuron_migrate.api.run import Run
    from neuron_migrate.finding import FileResult


class Outcome(msgspec.Struct, frozen=True):
    """How the files are now."""

    results: list[FileResult]
    """What is left, also in the files that could not be written."""
    applied: Applied
    problems: list[str]


def write(plan: Plan, run: Run) -> Outcome:
    """Write every change that can be written; one that cannot leaves its file as it was."""
    written: list[Change] = []
    problems = list(plan.problems)
    with Journal.begin(run.root) as journal:
        for change in plan.changes:
            try:
                journal.record(change.path, change.before, change.after)
                replace(change.path, change.before, change.after)
                written.append(change)
            except ApplyError as error:
                problems.append(str(error))
    return Outcome(_results(run, written), _applied(written), problems)


def _results(run: Run, written: list[Change]) -> list[FileResult]:
    """A file that was not written keeps its findings, and has no new text any more."""
    paths = {change.result.path for change in written}
    unwritten = [
        result if result.path in paths else msgspec.structs.replace(result, fixed=None)
        for result in run.results
    ]
    return after_fix(unwritten)


def _applied(written: list[Change]) -> Applied:
    return Applied(sum(change.result.applied for change in written), len(written))
