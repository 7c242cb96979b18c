"""What doctor says, as JSON, schema 1; keys are only ever added.

``{"schema": 1, "tool": {"name", "version"}, "sdk": "2.33", "python": {"executable", "chosen"},
"fit": true, "checks": [{"section", "name", "seen", "verdict", "means", "fix", "sources",
"disputed": [{"who", "says", "source"}]}], "summary": {"ok", "problem", "unknown", "note"}}``

``section`` is ``machine``, ``packages``, ``variables`` or ``project``; ``name`` is the stable name
of what was looked at: a package, the code of a rule, a variable, ``system``, ``instance`` and so
on. ``verdict`` is a key of ``summary``; ``fit`` is false when there is a ``problem``. ``means``
and ``fix`` may be empty.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from neuron_migrate import __version__
from neuron_migrate.doctor.verdict import Verdict

if TYPE_CHECKING:
    from neuron_migrate.doctor.verdict import Check, Diagnosis

SCHEMA = 1


def render(diagnosis: Diagnosis) -> str:
    """The document, in ASCII so that any path survives any stream."""
    document = {
        "schema": SCHEMA,
        "tool": {"name": "neuron-migrate", "version": __version__},
        "sdk": diagnosis.sdk,
        "python": {"executable": diagnosis.python, "chosen": diagnosis.chosen},
        "fit": diagnosis.fit,
        "checks": [_check(check) for check in diagnosis.checks],
        "summary": {verdict.value: diagnosis.count(verdict) for verdict in Verdict},
    }
    return json.dumps(document, indent=2) + "\n"


def _check(check: Check) -> dict[str, object]:
    return {
        "section": check.section,
        "name": check.name,
        "seen": check.seen,
        "verdict": check.verdict.value,
        "means": check.means,
        "fix": check.fix,
        "sources": list(check.sources),
        "disputed": [
            {"who": claim.who, "says": claim.says, "source": claim.source}
            for claim in check.disputed
        ],
    }
