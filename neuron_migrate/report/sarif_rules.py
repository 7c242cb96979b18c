"""The rules as SARIF describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report import levels
from neuron_migrate.report.markup import escaped

if TYPE_CHECKING:
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.finding import Finding

_SEVERITIES = {"error": "error", "warning": "warning", "note": "recommendation"}


def descriptor(finding: Finding, rule: Rule | None) -> dict[str, object]:
    """What is said about the rule of a finding; little about one that no catalog file describes."""
    if rule is None:
        return {"id": finding.code, "name": finding.name}
    level = "note" if rule.advice else levels.of_risk(rule.risk)
    described: dict[str, object] = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": " ".join(rule.why.split())},
        "help": {"text": _text(rule), "markdown": _markdown(rule)},
        "defaultConfiguration": {"level": level},
        "properties": _properties(rule, level),
    }
    if rule.sources:
        described["helpUri"] = rule.sources[0]
    return described


def _text(rule: Rule) -> str:
    parts = [rule.summary, *_paragraphs(rule.why), *_paragraphs(rule.fix_safety)]
    return "\n\n".join([*parts, *(["\n".join(rule.sources)] if rule.sources else [])])


def _markdown(rule: Rule) -> str:
    why, safety = _prose(rule.why), _prose(rule.fix_safety)
    sources = "\n".join(f"* <{source}>" for source in rule.sources)
    parts = [escaped(rule.summary), "## Why", why, "## Fix safety", safety]
    return "\n\n".join([*parts, *(["## Sources", sources] if sources else [])])


def _prose(text: str) -> str:
    return "\n\n".join(map(escaped, _paragraphs(text)))


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.strip().split("\n\n")]


def _properties(rule: Rule, level: str) -> dict[str, object]:
    """``precision`` and ``problem.severity`` are what GitHub sorts by."""
    return {
        "risk": rule.risk.value,
        "confidence": rule.confidence,
        "family": rule.family,
        "effort": rule.effort,
        "sdk": rule.sdk,
        "tags": [rule.family],
        "precision": "high" if rule.confidence == "documented" else "medium",
        "problem.severity": _SEVERITIES[level],
    }
