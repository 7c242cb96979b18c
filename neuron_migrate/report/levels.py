"""How bad a finding is in the words of other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from neuron_migrate.finding import Finding

Level = Literal["error", "warning", "note"]
_LEVELS: dict[Risk, Level] = {
    Risk.BREAKS: "error",
    Risk.WRONG: "error",
    Risk.CPU: "warning",
    Risk.RECOMPILES: "warning",
    Risk.SLOW: "warning",
    Risk.INFO: "note",
}


def of_risk(risk: Risk) -> Level:
    """An error raises or gives other results; a warning costs time."""
    return _LEVELS[risk]


def of(finding: Finding) -> Level:
    """The level of one finding; advice, which is not proven, is a note."""
    return "note" if finding.advice else of_risk(finding.risk)
