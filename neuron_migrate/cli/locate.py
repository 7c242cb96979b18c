"""From a finding to its place in the file, which is read once more for it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.api.places import in_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.report.located import Located


def located(
    session: Session, results: Sequence[FileResult], findings: Iterable[Finding]
) -> list[Located]:
    """The findings, which describe ``results`` and are sorted by path, with their places."""
    return [
        each
        for path, group in groupby(findings, key=lambda finding: finding.path)
        for each in in_text(_text(session, results, path), path, group)
    ]


def _text(session: Session, results: Sequence[FileResult], path: str) -> str | None:
    """The text that the findings of a path describe; None when it cannot be read."""
    if session.stdin is not None and results is not session.results:
        return session.results[0].fixed
    return session.text(path)
