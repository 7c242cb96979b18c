"""A Code Quality report, which GitLab shows in merge requests: Code Climate's format.

There is no JUnit report: its unit is a test that passes or fails, which a finding is not, and what
reads it reads one of this format, SARIF or JSON as well.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING

from neuron_migrate.finding import Risk
from neuron_migrate.report.listing import FAILED
from neuron_migrate.report.located import fingerprints, full_message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding
    from neuron_migrate.report.located import Located
    from neuron_migrate.report.risk import Skip

_SEVERITIES = {
    Risk.BREAKS: "critical",
    Risk.WRONG: "critical",
    Risk.CPU: "major",
    Risk.RECOMPILES: "minor",
    Risk.SLOW: "minor",
    Risk.INFO: "info",
}


def render(findings: Sequence[Located], skipped: Sequence[Skip] = ()) -> str:
    """A list of issues, in ASCII so that any path survives any stream."""
    named = zip(findings, fingerprints(findings), strict=True)
    unread = [_unread(skip) for skip in skipped if skip.failed]
    return json.dumps([*unread, *(_issue(each, name) for each, name in named)], indent=2) + "\n"


def _issue(each: Located, fingerprint: str) -> dict[str, object]:
    finding = each.finding
    where = "" if finding.cell is None else f"cell {finding.cell}, line {finding.line}: "
    return {
        "description": f"{finding.code}: {where}{full_message(finding)}",
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _severity(finding),
        "location": {
            "path": finding.path,
            "lines": {"begin": each.region.line, "end": each.region.end_line},
        },
    }


def _severity(finding: Finding) -> str:
    """What has no way to Neuron blocks; advice, which is not proven, informs."""
    if finding.advice:
        return "info"
    blocks = finding.blocked and finding.fix is None
    return "blocker" if blocks else _SEVERITIES[finding.risk]


def _unread(skip: Skip) -> dict[str, object]:
    key = f"{FAILED}\0{skip.path}".encode(errors="surrogatepass")
    return {
        "description": f"{FAILED}: Not analysed: {skip.reason}.",
        "check_name": FAILED,
        "fingerprint": sha256(key).hexdigest()[:32],
        "severity": "critical",
        "location": {"path": skip.path, "lines": {"begin": 1}},
    }
