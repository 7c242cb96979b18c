"""One line per finding, for editors and for grep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report.layout import one_line
from neuron_migrate.report.listing import marker, place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.finding import Finding


def render(findings: Iterable[Finding]) -> str:
    """``path:line:col: CODE [*] message`` lines."""
    return "".join(f"{_line(finding)}\n" for finding in findings)


def _line(finding: Finding) -> str:
    message = " ".join(finding.message.split())
    words = (f"{finding.path}:{place(finding)}:", finding.code, marker(finding), message)
    return one_line(" ".join(word for word in words if word))
