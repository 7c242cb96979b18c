"""Which findings a run lists, in which order, and how one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.finding import FileResult, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FAILED = "NM000"
"""The code of a file that was not analysed, or whose fix did not parse."""


def listed(results: Sequence[FileResult], *, show_advice: bool = False) -> list[Finding]:
    """The findings to show, by path and place; advice only on request."""
    found = (finding for result in results for finding in result.findings)
    return in_order(finding for finding in found if show_advice or not finding.advice)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by path and by place in the file."""
    return sorted(findings, key=lambda f: (f.path, f.cell or 0, f.line, f.column, f.code))


def after_fix(results: Sequence[FileResult]) -> list[FileResult]:
    """The results of a fix run as they are once its texts are written."""
    return [
        result
        if result.fixed is None
        else FileResult(path=result.path, findings=result.left, failed=result.failed)
        for result in results
    ]


def place(finding: Finding) -> str:
    """Where in its file: ``3:10``, in a notebook ``cell 2:3:10``."""
    cell = "" if finding.cell is None else f"cell {finding.cell}:"
    return f"{cell}{finding.line}:{finding.column}"


def marker(finding: Finding) -> str:
    """``[*]``: ``fix --apply`` fixes it; ``[unsafe]``: it takes ``--unsafe``; else nothing."""
    if finding.fix is None:
        return ""
    return "[*]" if finding.fix == "safe" else "[unsafe]"
