"""What doctor says: one check after another, and what they come to."""

from __future__ import annotations

from enum import Enum
from typing import Literal

import msgspec

from neuron_migrate.catalog.versions import Claim  # noqa: TC001 - a field of a struct

Section = Literal["machine", "packages", "variables", "project"]


class Verdict(str, Enum):
    """What a check comes to; only a problem makes a machine or a project unfit."""

    OK = "ok"
    PROBLEM = "problem"
    UNKNOWN = "unknown"
    NOTE = "note"


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was looked at."""

    section: Section
    name: str
    """Stable: ``python``, ``torch``, the code of a rule, the name of a variable."""
    seen: str
    verdict: Verdict
    means: str = ""
    fix: str = ""
    sources: tuple[str, ...] = ()
    disputed: tuple[Claim, ...] = ()
    """Sources that contradict each other about it."""


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was looked at."""

    sdk: str
    stage: str
    date: str
    python: str
    """The interpreter whose packages were looked at."""
    chosen: str
    """Why this one."""
    checks: tuple[Check, ...]

    @property
    def fit(self) -> bool:
        """Whether nothing is known that does not fit."""
        return not self.count(Verdict.PROBLEM)

    def count(self, verdict: Verdict) -> int:
        """How many checks came to a verdict."""
        return sum(check.verdict is verdict for check in self.checks)
