"""What doctor says, as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.doctor.verdict import Verdict
from neuron_migrate.report.layout import counted, paragraph

if TYPE_CHECKING:
    from neuron_migrate.doctor.verdict import Check, Diagnosis, Section

_WIDTH = max(len(verdict.value) for verdict in Verdict)
_INDENT = " " * (2 + _WIDTH + 2)


def render(diagnosis: Diagnosis) -> str:
    """The whole report, at most 80 columns wide unless a path or a URL is longer."""
    titles: dict[Section, str] = {
        "machine": "This machine",
        "packages": f"Packages of {diagnosis.python} ({diagnosis.chosen})",
        "variables": "Environment variables",
        "project": "What the project declares",
    }
    sections = [_head(diagnosis)]
    for section, title in titles.items():
        checks = [check for check in diagnosis.checks if check.section == section]
        if checks:
            lines = [line for check in checks for line in _lines(check)]
            sections.append([*paragraph(title, rest="  "), *lines])
    sections.append(_verdict(diagnosis))
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections)


def _head(diagnosis: Diagnosis) -> list[str]:
    about = ", ".join(filter(None, (diagnosis.stage, diagnosis.date)))
    return paragraph(
        f"TorchNeuron of Neuron SDK {diagnosis.sdk}" + (f" ({about})" if about else "")
    )


def _lines(check: Check) -> list[str]:
    lines = paragraph(check.seen, first=f"  {check.verdict.value:<{_WIDTH}}  ", rest=f"{_INDENT}  ")
    for text in (check.means, f"Fix: {check.fix}" if check.fix else ""):
        if text:
            lines += paragraph(text, first=_INDENT, rest=_INDENT)
    for claim in check.disputed:
        who = f"{claim.who[:1].upper()}{claim.who[1:]}"
        text = f"* {who}: {claim.says} ({claim.source})"
        lines += paragraph(text, first=_INDENT, rest=f"{_INDENT}  ")
    claimed = {claim.source for claim in check.disputed}
    rest = [source for source in check.sources if source not in claimed]
    return lines + [f"{_INDENT}{source}" for source in rest]


def _verdict(diagnosis: Diagnosis) -> list[str]:
    counts = [
        counted(diagnosis.count(Verdict.PROBLEM), "problem"),
        counted(diagnosis.count(Verdict.NOTE), "note"),
        f"{diagnosis.count(Verdict.UNKNOWN)} not known",
        f"{diagnosis.count(Verdict.OK)} ok",
    ]
    word = "fit, as far as can be seen here" if diagnosis.fit else "not fit"
    return paragraph(f"Verdict: {word}: {', '.join(counts)}.")
