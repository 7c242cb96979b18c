"""The findings for a person at a terminal, grouped by file."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.report import ansi
from neuron_migrate.report.layout import WIDTH, one_line, paragraph
from neuron_migrate.report.listing import marker, place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.finding import Finding

_NARROWEST = 60
_HANGING = " " * 6


def render(findings: Iterable[Finding], *, width: int = WIDTH, color: bool = False) -> str:
    """A block per file: its path, then each finding with what it means and why it is not fixed."""
    width = max(width, _NARROWEST)
    blocks = [
        [
            ansi.paint(one_line(path), ansi.BOLD, color=color),
            *(line for finding in group for line in _finding(finding, width, color)),
            "",
        ]
        for path, group in groupby(findings, key=lambda finding: finding.path)
    ]
    return "".join(f"{line}\n" for block in blocks for line in block)


def _finding(finding: Finding, width: int, color: bool) -> list[str]:
    head = [place(finding), finding.risk.value, finding.code, finding.name, marker(finding)]
    plain = "  " + " ".join(word for word in head if word)
    lines = paragraph(finding.message, first=plain + " ", rest=_HANGING, width=width)
    if finding.not_fixed and finding.not_fixed not in finding.message:
        lines += paragraph(
            f"not fixed: {finding.not_fixed}", first=_HANGING, rest=_HANGING, width=width
        )
    return [_head(finding, color) + lines[0][len(plain) :], *lines[1:]] if color else lines


def _head(finding: Finding, color: bool) -> str:
    words = [
        place(finding),
        ansi.paint(finding.risk.value, ansi.RISK[finding.risk], color=color),
        ansi.paint(finding.code, ansi.BOLD, color=color),
        finding.name,
        ansi.paint(marker(finding), ansi.CYAN, color=color) if finding.fix else "",
    ]
    return "  " + " ".join(word for word in words if word)
