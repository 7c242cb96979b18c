"""From findings to the summary: the verdict, the counts, and what is left for whom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import msgspec

from neuron_migrate.finding import Effort, FileResult, Finding, Risk
from neuron_migrate.report import exposure
from neuron_migrate.report.exposure import Exposure
from neuron_migrate.report.listing import FAILED, in_order
from neuron_migrate.report.since import Since

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Verdict = Literal["ready", "auto", "manual", "blocked"]
Kind = Literal["safe", "unsafe", "by_hand", "note"]

VERDICTS: tuple[Verdict, ...] = ("ready", "auto", "manual", "blocked")
EFFORTS: tuple[Effort, ...] = ("none", "low", "medium", "high")
MANY = 8
"""More manual items than this in one file raise its effort by one grade."""


class Counts(msgspec.Struct, frozen=True):
    """How many findings ``fix --apply`` fixes, ``--unsafe`` would, a person must, nobody need."""

    safe: int = 0
    unsafe: int = 0
    by_hand: int = 0
    note: int = 0

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> Counts:
        kinds = Counter(kind(finding) for finding in findings)
        return cls(kinds["safe"], kinds["unsafe"], kinds["by_hand"], kinds["note"])

    @classmethod
    def sum(cls, counts: Iterable[Counts]) -> Counts:
        """Several counts added up."""
        return cls(*map(sum, zip(*map(msgspec.structs.astuple, counts), strict=True)))

    @property
    def total(self) -> int:
        return self.safe + self.unsafe + self.by_hand + self.note

    @property
    def manual(self) -> int:
        """What a person must look at."""
        return self.unsafe + self.by_hand


class FileRow(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the ranking."""

    path: str
    verdict: Verdict
    counts: Counts
    effort: Effort


class Skip(msgspec.Struct, frozen=True):
    """A path that discovery met and did not hand on."""

    path: str
    reason: str
    failed: bool = True
    """False when it was left out on purpose."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What a run amounts to. Advice is in ``advice`` and in no other number."""

    verdict: Verdict
    files_scanned: int
    files_with_findings: int
    files_failed: int
    counts: Counts
    by_risk: dict[Risk, Counts]
    by_family: dict[str, Counts]
    advice: dict[str, int]
    unverified: dict[str, int]
    rows: tuple[FileRow, ...]
    """The files that are not ready, those with most left first."""
    blockers: tuple[Finding, ...]
    failed: tuple[Finding, ...]
    """The NM000 findings: what was not analysed, and why."""
    skipped: tuple[Skip, ...] = ()
    exposure: Exposure = Exposure()
    """The input shapes the code makes; advice counts here too."""
    since: Since = Since()
    """What is left out of all this because it is not new."""


def summarise(
    results: Sequence[FileResult], skipped: Sequence[Skip] = (), since: Since | None = None
) -> Summary:
    """Count, grade and rank the findings of a run."""
    everything = in_order(finding for result in results for finding in result.findings)
    findings = [finding for finding in everything if not finding.advice]
    rows = [_row(result) for result in results]
    unread: list[Verdict] = ["manual" for skip in skipped if skip.failed]
    return Summary(
        verdict=max(unread + [row.verdict for row in rows], key=VERDICTS.index, default="ready"),
        files_scanned=len(results),
        files_with_findings=sum(row.counts.total > 0 for row in rows),
        files_failed=sum(result.failed for result in results),
        counts=Counts.of(findings),
        by_risk=_by_risk(findings),
        by_family=_by_family(findings),
        advice=_by_code(finding for finding in everything if finding.advice),
        unverified=_by_code(f for f in findings if f.confidence == "unverified"),
        rows=tuple(sorted((row for row in rows if row.verdict != "ready"), key=_rank)),
        blockers=tuple(finding for finding in findings if _blocks(finding)),
        failed=tuple(finding for finding in everything if finding.code == FAILED),
        skipped=tuple(skipped),
        exposure=exposure.of(everything),
        since=Since() if since is None else since,
    )


def kind(finding: Finding) -> Kind:
    """Who deals with a finding; one that only informs and has no fix asks for nothing."""
    if finding.fix is not None:
        return finding.fix
    return "note" if finding.risk is Risk.INFO and finding.code != FAILED else "by_hand"


def verdict(findings: Sequence[Finding], *, failed: bool = False) -> Verdict:
    """The verdict on one file; advice has no say in it."""
    if any(_blocks(finding) for finding in findings):
        return "blocked"
    counts = Counts.of(finding for finding in findings if not finding.advice)
    if failed or any(_asks_a_person(finding) for finding in findings):
        return "manual"
    return "auto" if counts.safe else "ready"


def effort(findings: Iterable[Finding]) -> Effort:
    """The manual remainder of a file: its hardest item, one grade more when there are many."""
    manual = [finding for finding in findings if _asks_a_person(finding)]
    grade = max((EFFORTS.index(finding.effort) for finding in manual), default=0)
    if len(manual) > MANY:
        grade = min(grade + 1, len(EFFORTS) - 1)
    return EFFORTS[grade]


def _asks_a_person(finding: Finding) -> bool:
    """What is for information only may be looked at, and need not be."""
    informs = finding.risk is Risk.INFO and finding.code != FAILED
    return not finding.advice and not informs and kind(finding) in ("unsafe", "by_hand")


def _blocks(finding: Finding) -> bool:
    return finding.blocked and finding.fix is None and not finding.advice


def _row(result: FileResult) -> FileRow:
    return FileRow(
        path=result.path,
        verdict=verdict(result.findings, failed=result.failed),
        counts=Counts.of(finding for finding in result.findings if not finding.advice),
        effort=effort(result.findings),
    )


def _rank(row: FileRow) -> tuple[int, int, int, int, str]:
    severity, grade = VERDICTS.index(row.verdict), EFFORTS.index(row.effort)
    return -severity, -grade, -row.counts.manual, -row.counts.safe, row.path


def _by_risk(findings: Sequence[Finding]) -> dict[Risk, Counts]:
    counts = {risk: Counts.of(f for f in findings if f.risk is risk) for risk in Risk}
    return {risk: count for risk, count in counts.items() if count.total}


def _by_family(findings: Sequence[Finding]) -> dict[str, Counts]:
    """In the order of the codes, which number the families."""
    families = dict.fromkeys(f.family for f in sorted(findings, key=lambda f: f.code))
    return {family: Counts.of(f for f in findings if f.family == family) for family in families}


def _by_code(findings: Iterable[Finding]) -> dict[str, int]:
    return dict(sorted(Counter(finding.code for finding in findings).items()))
