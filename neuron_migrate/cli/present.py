"""What a run says: the findings in the chosen format, the diff, the report."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, TextIO

from neuron_migrate.cli.options import OutputFormat
from neuron_migrate.cli.output import emit, encoded, is_terminal, wants_color, write_file
from neuron_migrate.report import concise, json, risk_text, text
from neuron_migrate.report.diff import colored
from neuron_migrate.report.layout import WIDTH
from neuron_migrate.report.listing import listed
from neuron_migrate.report.risk import Summary, summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.report.risk_text import Applied

_WHOLE = (OutputFormat.JSON, OutputFormat.HTML)
"""The formats to which nothing can be appended."""


def present(
    session: Session,
    results: Sequence[FileResult],
    *,
    stream: TextIO | None,
    diff: bytes = b"",
    applied: Applied | None = None,
) -> None:
    """Print the results on the stream, or into the file that ``--output`` names."""
    options = session.options
    stream = None if options.output else stream
    color = wants_color(options.color.value, stream)
    summary = summarise(results, session.skipped)
    findings = listed(results, show_advice=session.settings.show_advice)
    if options.output_format is OutputFormat.HTML:
        content = encoded(_page(session, results, findings, summary, applied))
    else:
        content = encoded(_findings(session, findings, summary, stream, color), stream)
    if options.output_format not in _WHOLE:
        content += (colored(diff) if color else diff) + (b"\n" if diff else b"")
        content += b"" if options.quiet else encoded(risk_text.render(summary, applied), stream)
    if options.output:
        write_file(options.output, content)
    else:
        emit(content, stream)


def _page(
    session: Session,
    results: Sequence[FileResult],
    findings: list[Finding],
    summary: Summary,
    applied: Applied | None,
) -> str:
    from neuron_migrate.cli import texts
    from neuron_migrate.report.html import page  # jinja2 is for this format only

    return page.render(
        page.Report(
            findings=findings,
            summary=summary,
            texts=texts.of(session, results, findings),
            rules={rule.code: rule for rule in session.catalog.rules},
            target=session.settings.target,
            sdk=session.sdk,
            applied=applied,
        )
    )


def _findings(
    session: Session, findings: list[Finding], summary: Summary, stream: TextIO | None, color: bool
) -> str:
    chosen = session.options.output_format
    if chosen is OutputFormat.JSON:
        return json.render(findings, summary, target=session.settings.target, sdk=session.sdk)
    if chosen is OutputFormat.CONCISE:
        return concise.render(findings)
    return text.render(findings, width=_width(stream), color=color)


def _width(stream: TextIO | None) -> int:
    return shutil.get_terminal_size().columns if is_terminal(stream) else WIDTH
