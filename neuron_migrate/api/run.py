"""What a check or a fix of files gave, before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.api.changes import Plan, Stamp, plan
from neuron_migrate.report.listing import listed
from neuron_migrate.report.risk import Skip, Summary, summarise

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.api.rewriting import Outcome
    from neuron_migrate.finding import FileResult, Finding


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The result of each file."""

    root: Path
    """What the paths of results are relative to."""
    results: list[FileResult]
    skipped: list[Skip]
    """What was met and not read."""
    stamps: dict[str, Stamp] = {}
    """What every file looked like just before it was analysed, by path."""

    def findings(self, *, advice: bool = False) -> list[Finding]:
        """The findings by path and place, with the advice on request."""
        return listed(self.results, show_advice=advice)

    def summary(self) -> Summary:
        """The verdict and the counts of the risk report."""
        return summarise(self.results, self.skipped)

    def plan(self) -> Plan:
        """What a fix would write: of a check, nothing."""
        return plan(self)

    def apply(self) -> Outcome:
        """Write what a fix planned, each file atomically, so that undo can take it back."""
        from neuron_migrate.api import rewriting

        return rewriting.write(self.plan(), self)
