"""What a run says: the findings in the chosen format, the diff, the report."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, TextIO

from neuron_migrate.cli.options import LISTINGS, OutputFormat
from neuron_migrate.cli.output import emit, encoded, is_terminal, wants_color, write_file
from neuron_migrate.report import concise, risk_text, statistics, text
from neuron_migrate.report.diff import colored
from neuron_migrate.report.layout import WIDTH
from neuron_migrate.report.listing import listed
from neuron_migrate.report.risk import summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.report.risk_text import Applied


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
    color = not options.no_color and wants_color(options.color.value, stream)
    summary = summarise(results, session.skipped, session.since)
    findings = listed(results, show_advice=session.settings.show_advice)
    if options.output_format in LISTINGS:
        content = encoded(_findings(session, findings, stream, color), stream)
        content += (colored(diff) if color else diff) + (b"\n" if diff else b"")
        content += b"" if options.quiet else encoded(risk_text.render(summary, applied), stream)
    else:
        from neuron_migrate.cli.documents import document

        # A page says that it is UTF-8, whatever the stream is.
        into = None if options.output_format is OutputFormat.HTML else stream
        content = encoded(document(session, results, findings, summary, applied), into)
    if options.output:
        write_file(options.output, content)
    else:
        emit(content, stream)


def _findings(session: Session, findings: list[Finding], stream: TextIO | None, color: bool) -> str:
    if session.options.statistics:
        return statistics.render(findings)
    if session.options.output_format is OutputFormat.CONCISE:
        return concise.render(findings)
    return text.render(findings, width=_width(stream), color=color)


def _width(stream: TextIO | None) -> int:
    return shutil.get_terminal_size().columns if is_terminal(stream) else WIDTH
