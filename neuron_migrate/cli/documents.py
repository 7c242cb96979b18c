"""The formats that are a document of their own: no diff and no report follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.cli.locate import located
from neuron_migrate.report import github, gitlab, json, markdown, sarif
from neuron_migrate.settings import OutputFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.api.changes import Change
    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.report.located import Located
    from neuron_migrate.report.risk import Summary


def document(
    session: Session,
    results: Sequence[FileResult],
    findings: Sequence[Finding],
    summary: Summary,
    written: Sequence[Change] | None,
) -> str:
    """The findings in the chosen format, and of some what was written."""
    chosen = session.settings.output_format
    target, sdk = session.settings.target, session.sdk
    if chosen is OutputFormat.JSON:
        counted = session.options.statistics
        return json.render(findings, summary, target=target, sdk=sdk, counted=counted)
    if chosen is OutputFormat.MARKDOWN:
        applied = session.applied(written)
        return markdown.render(findings, summary, target=target, sdk=sdk, applied=applied)
    if chosen is OutputFormat.HTML:
        return _page(session, results, findings, summary, written)
    places = _places(session, results, findings)
    if chosen is OutputFormat.GITHUB:
        return github.render(places, summary.skipped)
    if chosen is OutputFormat.GITLAB:
        return gitlab.render(places, summary.skipped)
    rules = {rule.code: rule for rule in session.catalog.rules}
    return sarif.render(places, summary, rules, target=target, sdk=sdk)


def _places(
    session: Session, results: Sequence[FileResult], findings: Sequence[Finding]
) -> list[Located]:
    if session.evidence is None:
        return located(session, results, findings)
    return [session.evidence[each].located(each) for each in findings]


def _page(
    session: Session,
    results: Sequence[FileResult],
    findings: Sequence[Finding],
    summary: Summary,
    written: Sequence[Change] | None,
) -> str:
    from neuron_migrate.cli import kept, texts
    from neuron_migrate.report.html import page  # jinja2 is for this format only

    fixed = None if written is None else texts.fixed(session, written)
    return page.render(
        page.Report(
            findings=list(findings),
            summary=summary,
            texts=texts.of(session, results, findings, written),
            rules={rule.code: rule for rule in session.catalog.rules},
            target=session.settings.target,
            sdk=session.sdk,
            unsafe=session.settings.unsafe,
            applied=session.applied(written),
            fixed=fixed,
            rehearsal=kept.rehearsal(session),
        )
    )
