"""How many findings each rule has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report.layout import table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.finding import Finding

Key = tuple[str, str, str]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of one rule that have one risk."""

    code: str
    name: str
    risk: str
    findings: int
    safe: int
    """How many of them ``fix --apply`` fixes."""
    unsafe: int
    """How many more it fixes with ``--unsafe``."""


def rows(findings: Iterable[Finding]) -> list[Row]:
    """The rules, those with most findings first."""
    groups: dict[Key, list[str | None]] = {}
    for each in findings:
        groups.setdefault((each.code, each.name, each.risk.value), []).append(each.fix)
    ranked = sorted(groups.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [_row(key, fixes) for key, fixes in ranked]


def render(findings: Iterable[Finding]) -> str:
    """A table; ``[*]`` marks a rule of which ``fix --apply`` fixes something."""
    cells = [
        (_what(row), row.risk, str(row.findings), str(row.safe or "-"), str(row.unsafe or "-"))
        for row in rows(findings)
    ]
    lines = table(("", "risk", "findings", "fix --apply", "--unsafe"), cells) if cells else []
    return "".join(f"{line}\n" for line in [*lines, ""] if cells)


def _row(key: Key, fixes: list[str | None]) -> Row:
    code, name, risk = key
    safe, unsafe = fixes.count("safe"), fixes.count("unsafe")
    return Row(code=code, name=name, risk=risk, findings=len(fixes), safe=safe, unsafe=unsafe)


def _what(row: Row) -> str:
    mark = " [*]" if row.safe else " [unsafe]" if row.unsafe else ""
    return f"{row.code} {row.name}{mark}"
