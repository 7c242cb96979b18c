"""The findings and the summary as JSON, schema 1; keys are only ever added."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import __version__
from neuron_migrate.finding import BUCKET
from neuron_migrate.report import since
from neuron_migrate.report.exposure import MINUTES
from neuron_migrate.report.statistics import rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding, Shapes, Target
    from neuron_migrate.report.exposure import Exposure
    from neuron_migrate.report.risk import Summary

SCHEMA = 1


def render(
    findings: Sequence[Finding],
    summary: Summary,
    *,
    target: Target,
    sdk: str,
    counted: bool = False,
) -> str:
    """The document, in ASCII so that any path survives any stream."""
    statistics = {"statistics": msgspec.to_builtins(rows(findings))} if counted else {}
    document = {
        "schema": SCHEMA,
        "tool": {"name": "neuron-migrate", "version": __version__},
        "target": target,
        "sdk": sdk,
        "findings": [_finding(finding) for finding in findings],
        "summary": _summary(summary),
        **since.document(summary.since),
        **statistics,
    }
    return json.dumps(document, indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "name": finding.name,
        "path": finding.path,
        "cell": finding.cell,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "message": finding.message,
        "risk": finding.risk.value,
        "confidence": finding.confidence,
        "fix": finding.fix,
        "not_fixed": finding.not_fixed,
        "effort": finding.effort,
        "shapes": _shapes(finding.shapes),
    }


def _shapes(shapes: Shapes | None) -> dict[str, int | None] | None:
    """None for a finding that is not about shapes; a number is None where no bound can be read."""
    if shapes is None:
        return None
    return {"at_most": shapes.at_most, f"in_buckets_of_{BUCKET}": shapes.in_buckets}


def _summary(summary: Summary) -> dict[str, object]:
    """Advice is counted apart, so that the numbers do not depend on ``--show-advice``."""
    return {
        "verdict": summary.verdict,
        "files_scanned": summary.files_scanned,
        "files_with_findings": summary.files_with_findings,
        "files_failed": summary.files_failed,
        "findings": summary.counts.total,
        "fixable": summary.counts.safe,
        "by_risk": {risk.value: counts.total for risk, counts in summary.by_risk.items()},
        "by_family": {family: counts.total for family, counts in summary.by_family.items()},
        "advice": sum(summary.advice.values()),
        "compile_exposure": _exposure(summary.exposure),
        "skipped": [msgspec.to_builtins(skip) for skip in summary.skipped],
    }


def _exposure(exposure: Exposure) -> dict[str, int]:
    """Upper bounds, added up over the sites that have one."""
    return {
        "sites": exposure.sites,
        "unbounded": len(exposure.open),
        "shapes": exposure.shapes,
        "minutes": exposure.shapes * MINUTES,
        f"shapes_in_buckets_of_{BUCKET}": exposure.in_buckets,
        f"minutes_in_buckets_of_{BUCKET}": exposure.in_buckets * MINUTES,
    }
