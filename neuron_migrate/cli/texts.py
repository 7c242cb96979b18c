"""The texts that findings speak of, before and after the fixes, for a report that shows them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.files import source
from neuron_migrate.report.html.code import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.api.changes import Change
    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding


def of(
    session: Session,
    results: Sequence[FileResult],
    findings: Iterable[Finding],
    written: Sequence[Change] | None,
) -> dict[str, Text]:
    """The files of the findings by path, as far as they can be read."""
    if written is not None:
        return _now(session, findings, written)
    after = {result.path: result.fixed for result in results if result.fixed is not None}
    texts = {}
    for path, group in groupby(findings, key=lambda finding: finding.path):
        if (found := session.text(path)) is not None:
            edited = after.get(path) or _edited(found, group, unsafe=session.settings.unsafe)
            texts[path] = Text(found, edited)
    return texts


def _now(
    session: Session, findings: Iterable[Finding], written: Iterable[Change]
) -> dict[str, Text]:
    """The files after an apply: what was written, and those that stay as they are."""
    texts = {
        change.result.path: Text(source.decode(change.before).text, change.result.fixed or "")
        for change in written
    }
    for path in dict.fromkeys(finding.path for finding in findings):
        if path not in texts and (found := session.text(path)) is not None:
            texts[path] = Text(found, found)
    return texts


def fixed(session: Session, written: Iterable[Change]) -> list[Finding]:
    """The findings that the written changes resolve."""
    permitted = ("safe", "unsafe") if session.settings.unsafe else ("safe",)
    findings = (finding for change in written for finding in change.result.findings)
    return [finding for finding in findings if finding.fix in permitted]


def _edited(text: str, findings: Iterable[Finding], *, unsafe: bool) -> str:
    """As a check has it, which does not look at the outcome again."""
    from neuron_migrate.engine import edits
    from neuron_migrate.engine.fixpoint import choose

    chosen = choose(findings, unsafe=unsafe)
    wanted = [edit for finding in chosen for edit in finding.edits]
    stale = any(edit.end > len(text) for edit in wanted)
    return text if stale else edits.apply(text, wanted)
