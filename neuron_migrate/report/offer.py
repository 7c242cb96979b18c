"""One fix as a person is asked about it, and what came of the questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report import ansi
from neuron_migrate.report.layout import TOP, WIDTH, counted, more, one_line, paragraph
from neuron_migrate.report.listing import place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding

_MARGIN = "  "


def heading(findings: Sequence[Finding], *, width: int = WIDTH, color: bool = False) -> str:
    """Where the fixes are, which rules they come from, and what is known about them."""
    lines = [line for each in findings for line in _finding(each, width, color)]
    if len(findings) > 1:
        lines += [f"{_MARGIN}These {len(findings)} fixes are made together or not at all."]
    return "".join(f"{line}\n" for line in lines)


def staying(findings: Sequence[Finding]) -> str:
    """That other fixes are off as well."""
    names = ", ".join(map(_name, findings[:TOP]))
    rest = f" and {len(findings) - TOP} more" if len(findings) > TOP else ""
    text = f"Left as well, because it does not hold without: {names}{rest}"
    return "".join(f"{line}\n" for line in paragraph(text, rest=_MARGIN))


def outcome(accepted: Sequence[Finding], declined: Sequence[Finding]) -> str:
    """What was accepted and what was declined."""
    lines = [*_listed("Accepted", accepted), *_listed("Declined", declined)]
    return "".join(f"{line}\n" for line in [*lines, ""])


def _finding(finding: Finding, width: int, color: bool) -> list[str]:
    where = ansi.paint(one_line(f"{finding.path}:{place(finding)}"), ansi.BOLD, color=color)
    risk = ansi.paint(finding.risk.value, ansi.RISK[finding.risk], color=color)
    head = f"{where} {ansi.paint(finding.code, ansi.BOLD, color=color)} {finding.name}"
    facts = f"{_MARGIN}risk {risk}, {finding.confidence}, {_safety(finding, color)}"
    lines = paragraph(finding.message, first=_MARGIN, rest=_MARGIN, width=width)
    if finding.fix == "unsafe" and finding.not_fixed:
        why = f"unsafe: {finding.not_fixed}"
        lines += paragraph(why, first=_MARGIN, rest=_MARGIN, width=width)
    return [head, facts, *lines]


def _safety(finding: Finding, color: bool) -> str:
    if finding.fix == "unsafe":
        return ansi.paint("UNSAFE fix", ansi.RED, color=color)
    return "safe fix"


def _listed(title: str, findings: Sequence[Finding]) -> list[str]:
    names = [f"{_MARGIN}{_name(each)}" for each in findings[:TOP]]
    end = ":" if names else "."
    return [f"{title} {counted(len(findings), 'fix', 'fixes')}{end}", *names, *more(len(findings))]


def _name(finding: Finding) -> str:
    return one_line(f"{finding.path}:{place(finding)} {finding.code} {finding.name}")
