"""The exit status of check and fix."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report.listing import FAILED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding, Risk

OK = 0
FOUND = 1
ERROR = 2
INTERRUPTED = 130


def status(session: Session, results: Sequence[FileResult]) -> int:
    """0 or 1 for what a check found, what a fix would change, or what an applied fix left."""
    if any(skip.failed for skip in session.skipped) or any(map(unread, results)):
        return FOUND
    if session.options.exit_zero:
        return OK
    changes = any(result.fixed is not None for result in results)
    found = any(fails(result.findings, session.settings.fail_on) for result in results)
    return FOUND if changes or found else OK


def fails(findings: Iterable[Finding], fail_on: Risk) -> bool:
    """Whether one of the findings is at least that bad; advice never is."""
    return any(not f.advice and f.risk.rank <= fail_on.rank for f in findings)


def unread(result: FileResult) -> bool:
    """Whether a file was not analysed, which no option makes a success."""
    return result.failed or any(finding.code == FAILED for finding in result.findings)
