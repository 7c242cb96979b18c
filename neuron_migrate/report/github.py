"""Workflow commands, which GitHub Actions turns into annotations of the changed lines.

GitHub shows 10 errors, 10 warnings and 10 notices of a step and leaves the others in its log, so
the worst come first. ``sarif``, uploaded to code scanning, has no such limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report import concise, levels
from neuron_migrate.report.layout import one_line
from neuron_migrate.report.listing import FAILED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding
    from neuron_migrate.report.located import Located
    from neuron_migrate.report.risk import Skip

_COMMANDS: dict[levels.Level, str] = {"error": "error", "warning": "warning", "note": "notice"}
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = {**_IN_MESSAGES, **str.maketrans({":": "%3A", ",": "%2C"})}


def render(findings: Sequence[Located], skipped: Sequence[Skip] = ()) -> str:
    """A command per finding, and per path that could not be read."""
    ranked = sorted(findings, key=lambda each: _rank(each.finding))
    unread = [_unread(skip) for skip in skipped if skip.failed]
    return "".join(f"{line}\n" for line in (*unread, *map(_line, ranked)))


def _rank(finding: Finding) -> tuple[bool, int]:
    return finding.advice, finding.risk.rank


def _line(each: Located) -> str:
    finding, region = each.finding, each.region
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": finding.path,
        "line": str(region.line),
        "endLine": str(region.end_line),
    }
    if region.line == region.end_line:  # columns of several lines are not understood
        properties |= {"col": str(region.column), "endColumn": str(region.end_column)}
    return _command(_COMMANDS[levels.of(finding)], properties, concise.render([finding]).rstrip())


def _unread(skip: Skip) -> str:
    message = one_line(f"{skip.path}: {FAILED} {skip.reason}")
    return _command("error", {"title": f"{FAILED} not-analysed", "file": skip.path}, message)


def _command(name: str, properties: dict[str, str], message: str) -> str:
    given = ",".join(
        f"{key}={value.translate(_IN_PROPERTIES)}" for key, value in properties.items()
    )
    return f"::{name} {given}::{message.translate(_IN_MESSAGES)}"
