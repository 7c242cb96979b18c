"""The lists of the risk report: blockers, what was not analysed, the ranking of files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.report.layout import TOP, item, more, one_line, section, table
from neuron_migrate.report.listing import place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Finding
    from neuron_migrate.report.risk import FileRow, Skip


def blockers(findings: Sequence[Finding]) -> list[str]:
    """What has no Neuron path at all: where, why, and where to read on."""
    lines = [line for finding in findings[:TOP] for line in _blocker(finding)]
    return section("Blockers", [*lines, *more(len(findings))])


def _blocker(finding: Finding) -> list[str]:
    reason = f" ({finding.not_fixed})" if finding.not_fixed else ""
    where = f"{finding.path}:{place(finding)} {finding.code} {finding.name}"
    way_out = f"Way out: neuron-migrate explain {finding.code}"
    return [*item(f"{where}: {finding.message}{reason}"), f"    {way_out}"]


def unread(failed: Sequence[Finding], skipped: Sequence[Skip]) -> list[str]:
    """What was not analysed: each is named, however many there are."""
    reasons = [f"{finding.path}:{place(finding)}: {finding.message}" for finding in failed]
    reasons += [f"{skip.path}: {skip.reason}" for skip in skipped if skip.failed]
    lines = [line for text in reasons for line in item(text)]
    return section("Not analysed", lines)


def left_out(skipped: Sequence[Skip]) -> list[str]:
    """What discovery met and passed over for a reason."""
    texts = [f"{skip.path}: {skip.reason}" for skip in skipped if not skip.failed]
    lines = [line for text in texts[:TOP] for line in item(text)]
    return section("Left out on purpose", [*lines, *more(len(texts))])


def ranking(rows: Sequence[FileRow]) -> list[str]:
    """The files with most left; the path comes last, as it may be as long as it likes."""
    header = ("verdict", "by hand", "--unsafe", "fix --apply", "effort")
    lines = table(header, [_grades(row) for row in rows[:TOP]])
    paths = ["file", *(one_line(row.path) for row in rows[:TOP])]
    listed = [f"{line}  {path}" for line, path in zip(lines, paths, strict=True)]
    return section("Files with most left", [*listed, *more(len(rows))] if rows else [])


def _grades(row: FileRow) -> tuple[str, ...]:
    numbers = (row.counts.by_hand, row.counts.unsafe, row.counts.safe)
    return row.verdict, *(str(number or "-") for number in numbers), row.effort
