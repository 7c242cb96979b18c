"""SARIF 2.1.0, for code scanning at GitHub and Azure, IDEs and whatever else collects findings.

What could not be analysed in a file is a result (NM000), as only results are shown to people; paths
that were not read at all are notifications of the tool. Suppressed findings are left out. Columns
count code points. ``partialFingerprints`` has a key of our own: the line hash that GitHub compares
is computed by its upload action.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from neuron_migrate import __version__
from neuron_migrate.report import levels
from neuron_migrate.report.located import fingerprints, full_message
from neuron_migrate.report.sarif_rules import descriptor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.finding import Finding, Target
    from neuron_migrate.report.located import Located, Region, Replacement
    from neuron_migrate.report.risk import Skip, Summary

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "SRCROOT"
_FINGERPRINT = "neuronMigrate/v1"
Json = dict[str, object]


def render(
    findings: Sequence[Located],
    summary: Summary,
    rules: Mapping[str, Rule],
    *,
    target: Target,
    sdk: str,
) -> str:
    """The log of one run, in ASCII so that it survives any stream."""
    known = {each.finding.code: each.finding for each in findings}
    codes = sorted(known)
    places = {code: index for index, code in enumerate(codes)}
    named = zip(findings, fingerprints(findings), strict=True)
    run = {
        "tool": {"driver": _driver([descriptor(known[code], rules.get(code)) for code in codes])},
        "columnKind": "unicodeCodePoints",
        "newlineSequences": ["\r\n", "\n", "\r"],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the project."}}},
        "invocations": [_invocation(summary.skipped)],
        "results": [_result(each, places[each.finding.code], name) for each, name in named],
        "properties": {"target": target, "sdk": sdk, "verdict": summary.verdict},
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def uri(path: str) -> str:
    """A path as a reference; bytes that are no text are kept as bytes."""
    return quote(path, errors="surrogateescape")


def _driver(rules: list[Json]) -> Json:
    return {
        "name": "neuron-migrate",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": rules,
    }


def _invocation(skipped: Sequence[Skip]) -> Json:
    """The run came to its end, or there would be no document; what it passed over is told."""
    notes = [_notification(skip) for skip in skipped]
    return {"executionSuccessful": True, "toolExecutionNotifications": notes}


def _notification(skip: Skip) -> Json:
    return {
        "level": "warning" if skip.failed else "note",
        "message": {"text": f"{_plain(skip.path)}: {_plain(skip.reason)}"},
        "locations": [{"physicalLocation": {"artifactLocation": _artifact(skip.path)}}],
    }


def _result(each: Located, index: int, name: str) -> Json:
    finding = each.finding
    result: Json = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": levels.of(finding),
        "message": {"text": _message(finding)},
        "locations": [_location(each)],
        "partialFingerprints": {_FINGERPRINT: name},
        "properties": _properties(finding),
    }
    if each.replacements:
        result["fixes"] = [_fix(finding, each.replacements)]
    return result


def _message(finding: Finding) -> str:
    where = "" if finding.cell is None else f"Cell {finding.cell}, line {finding.line}: "
    return _plain(where + full_message(finding))


def _location(each: Located) -> Json:
    finding = each.finding
    place: Json = {
        "physicalLocation": {
            "artifactLocation": _artifact(finding.path),
            "region": _region(each.region),
        }
    }
    if finding.cell is not None:
        cell = f"cell {finding.cell}"
        full = f"{_plain(finding.path)}:{cell}"
        place["logicalLocations"] = [{"name": cell, "fullyQualifiedName": full, "kind": "module"}]
    return place


def _artifact(path: str) -> Json:
    if path.startswith("/"):
        return {"uri": f"file://{uri(path)}"}
    return {"uri": uri(path), "uriBaseId": _ROOT}


def _region(region: Region) -> Json:
    return {
        "startLine": region.line,
        "startColumn": region.column,
        "endLine": region.end_line,
        "endColumn": region.end_column,
    }


def _fix(finding: Finding, replacements: Sequence[Replacement]) -> Json:
    text = (
        "Rewrite for Neuron; the meaning stays."
        if finding.fix == "safe"
        else "Rewrite for Neuron; this changes behaviour, so read it."
    )
    changes = [
        {"deletedRegion": _region(each.region), "insertedContent": {"text": each.text}}
        for each in replacements
    ]
    return {
        "description": {"text": text},
        "artifactChanges": [{"artifactLocation": _artifact(finding.path), "replacements": changes}],
        "properties": {"safety": finding.fix},
    }


def _properties(finding: Finding) -> Json:
    return {
        "risk": finding.risk.value,
        "confidence": finding.confidence,
        "effort": finding.effort,
        "fix": finding.fix,
        "blocked": finding.blocked,
        "advice": finding.advice,
        "cell": finding.cell,
    }


def _plain(text: str) -> str:
    """Prose without lone surrogates, which strict readers of JSON refuse."""
    return text.encode(errors="backslashreplace").decode()
