"""The list of rules, as text or JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from neuron_migrate.report.layout import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.schema import Rule


def render(rules: Sequence[Rule]) -> str:
    """A line per rule: code, risk, name and summary."""
    return "".join(f"{_line(rule)}\n" for rule in rules)


def render_json(rules: Sequence[Rule], *, sdk: str) -> str:
    """What scripts need to know about each rule."""
    return json.dumps({"schema": 1, "sdk": sdk, "rules": [_row(r) for r in rules]}, indent=2) + "\n"


def _line(rule: Rule) -> str:
    note = " [advice]" if rule.advice else ""
    return one_line(f"{rule.code} {rule.risk.value:<10} {rule.name}{note}: {rule.summary}")


def _row(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "family": rule.family,
        "summary": rule.summary,
        "risk": rule.risk.value,
        "confidence": rule.confidence,
        "effort": rule.effort,
        "advice": rule.advice,
        "blocked": rule.blocked,
        "sdk": rule.sdk,
        "sources": list(rule.sources),
    }
