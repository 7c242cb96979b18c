"""The code that belongs to the findings, as the JSON from which the page shows it on demand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from neuron_migrate.report.html.changes import CONTEXT, hunks
from neuron_migrate.report.html.document import Document
from neuron_migrate.report.layout import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neuron_migrate.finding import Finding
    from neuron_migrate.report.html.changes import Hunk

Entry = dict[str, object]
_LONGEST = 1000
"""Characters of a line that are shown."""
_TALLEST = 12
"""Lines of one finding that are shown."""


def entries(findings: Sequence[Finding], texts: Mapping[str, str]) -> list[Entry]:
    """The code of each finding, as far as the text of its file, by path, is there.

    ``{"cell", "first", "lines", "mark": [line, column, end_line, end_column]}`` is the code around
    the finding; ``{"diff": [{"cell", "first", "lines"}]}`` is what its fix changes there.
    """
    documents = {path: Document(text) for path, text in texts.items()}
    return [_entry(finding, documents.get(finding.path)) for finding in findings]


def block(entries: Sequence[Entry]) -> str:
    """The entries in ASCII that cannot end the script element around them."""
    dumped = json.dumps(entries, separators=(",", ":"))
    return dumped.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def visible(line: str) -> str:
    """A line of code without what could turn it around or run on forever; tabs stay."""
    shown = line[:_LONGEST] + ("\u2026" if len(line) > _LONGEST else "")
    return "\t".join(one_line(part) for part in shown.split("\t"))


def _entry(finding: Finding, document: Document | None) -> Entry:
    if document is None:
        return {}
    changed = hunks(document, finding)
    shown = any(_covers(hunk, finding) for hunk in changed)
    entry = {} if shown else _excerpt(finding, document.lines(finding.cell))
    if changed:
        entry["diff"] = [
            {"cell": hunk.cell, "first": hunk.first, "lines": [*map(visible, hunk.lines)]}
            for hunk in changed
        ]
    return entry


def _covers(hunk: Hunk, finding: Finding) -> bool:
    before = sum(line[0] != "+" for line in hunk.lines)
    return hunk.cell == finding.cell and hunk.first <= finding.line < hunk.first + before


def _excerpt(finding: Finding, lines: Sequence[str]) -> Entry:
    if finding.line > len(lines):
        return {}
    first = max(1, finding.line - CONTEXT)
    last = min(max(finding.end_line, finding.line), finding.line + _TALLEST) + CONTEXT
    return {
        "cell": finding.cell,
        "first": first,
        "lines": [*map(visible, lines[first - 1 : last])],
        "mark": [finding.line, *_columns(finding, lines)],
    }


def _columns(finding: Finding, lines: Sequence[str]) -> tuple[int, int, int]:
    """The column, end line and end column of a finding in the lines as they are shown."""
    last = lines[finding.end_line - 1] if finding.end_line <= len(lines) else ""
    start = len(visible(lines[finding.line - 1][: finding.column - 1]))
    return start + 1, finding.end_line, len(visible(last[: finding.end_column - 1])) + 1
