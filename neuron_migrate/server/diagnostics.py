"""Findings as diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from neuron_migrate.engine.findings import UNUSED
from neuron_migrate.finding import Risk
from neuron_migrate.report.located import full_message

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.finding import Finding
    from neuron_migrate.server.spots import Spot

SOURCE = "neuron-migrate"
_SEVERITIES = {
    Risk.BREAKS: types.DiagnosticSeverity.Error,
    Risk.WRONG: types.DiagnosticSeverity.Error,
    Risk.CPU: types.DiagnosticSeverity.Warning,
    Risk.RECOMPILES: types.DiagnosticSeverity.Warning,
    Risk.SLOW: types.DiagnosticSeverity.Information,
    Risk.INFO: types.DiagnosticSeverity.Information,
}


def diagnostic(spot: Spot, catalog: Catalog) -> types.Diagnostic:
    """A finding as the editor shows it."""
    finding = spot.finding
    return types.Diagnostic(
        range=spot.range,
        message=full_message(finding),
        severity=_severity(finding),
        code=finding.code,
        code_description=_description(finding, catalog),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.code == UNUSED else None,
        data={"name": finding.name, "fix": finding.fix, "risk": finding.risk.value},
    )


def _severity(finding: Finding) -> types.DiagnosticSeverity:
    """Advice, which is not proven, is a hint."""
    return types.DiagnosticSeverity.Hint if finding.advice else _SEVERITIES[finding.risk]


def _description(finding: Finding, catalog: Catalog) -> types.CodeDescription | None:
    rule = catalog.rule(finding.code)
    sources = rule.sources if rule else ()
    url = next((each for each in sources if each.startswith("https://")), None)
    return types.CodeDescription(url) if url else None
