"""A comment for a pull request: the verdict, the counts, the files, and what was found in them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.report import risk_text
from neuron_migrate.report.layout import counted
from neuron_migrate.report.listing import marker, place
from neuron_migrate.report.located import full_message
from neuron_migrate.report.markup import code, escaped, html_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from neuron_migrate.finding import Finding, Target
    from neuron_migrate.report.risk import Counts, Summary
    from neuron_migrate.report.risk_text import Applied

LIMIT = 60_000
"""Bytes; GitHub refuses a comment of more than 65,536 characters."""
MOST = 200
"""Findings that are listed."""
_FILES = 20
_LISTED = 20
_LONGEST = 1000
_COLUMNS = ("findings", "`fix --apply`", "`--unsafe`", "by hand", "to know")


def render(
    findings: Sequence[Finding],
    summary: Summary,
    *,
    target: Target,
    sdk: str,
    applied: Applied | None = None,
) -> str:
    """The comment; what does not fit is counted."""
    said = risk_text.verdict(summary, applied)
    asked = f"Target `{target}`, Neuron SDK {escaped(sdk)}."
    head = f"### neuron-migrate\n\n{escaped(' '.join(said))} {asked}\n"
    for part in (*_risks(summary), *_files(summary), *_unread(summary)):
        head += f"\n{part}\n" if _size(head + part) < LIMIT else ""
    return head + _details(_ranked(findings, summary), LIMIT - _size(head))


def _risks(summary: Summary) -> list[str]:
    if not summary.counts.total:
        return []
    rows = [(risk.value, *_numbers(counts)) for risk, counts in summary.by_risk.items()]
    return [_table(("risk", *_COLUMNS), [*rows, ("total", *_numbers(summary.counts))])]


def _numbers(counts: Counts) -> list[str]:
    numbers = (counts.total, counts.safe, counts.unsafe, counts.by_hand, counts.note)
    return [str(number or "-") for number in numbers]


def _files(summary: Summary) -> list[str]:
    rows = [
        (_cut(code, row.path), row.verdict, *_numbers(row.counts), row.effort)
        for row in summary.rows[:_FILES]
    ]
    if not rows:
        return []
    table = _table(("file", "verdict", *_COLUMNS, "effort by hand"), rows)
    return [table, *_rest(len(summary.rows) - _FILES, "file")]


def _unread(summary: Summary) -> list[str]:
    """What was not analysed."""
    found = [(f.path, f"line {f.line}: {f.message}") for f in summary.failed]
    found += [(skip.path, skip.reason) for skip in summary.skipped if skip.failed]
    lines = [f"* {_cut(code, path)}: {_cut(escaped, why)}" for path, why in found[:_LISTED]]
    if not lines:
        return []
    return ["**Not analysed**", "\n".join(lines), *_rest(len(found) - _LISTED, "path")]


def _ranked(findings: Sequence[Finding], summary: Summary) -> list[Finding]:
    """By file, those with most left first."""
    ranks = {row.path: rank for rank, row in enumerate(summary.rows)}
    return sorted(findings, key=lambda finding: (ranks.get(finding.path, len(ranks)), finding.path))


def _details(findings: Sequence[Finding], room: int) -> str:
    """A block per file, as many whole findings as there is room for."""
    parts: list[str] = []
    listed = 0
    for path, group in groupby(findings[:MOST], key=lambda finding: finding.path):
        items = list(_fitting(path, group, room))
        if not items:
            break
        parts.append(_block(path, items))
        room -= _size(parts[-1])
        listed += len(items)
    return "".join([*parts, *(f"\n{line}\n" for line in _rest(len(findings) - listed, "finding"))])


def _fitting(path: str, group: Iterable[Finding], room: int) -> Iterator[str]:
    room -= _size(_block(path, []))
    for line in map(_item, group):
        room -= _size(line)
        if room < 0:
            return
        yield line


def _block(path: str, items: Sequence[str]) -> str:
    summary = f"<summary>{_cut(html_code, path)}: {counted(len(items), 'finding')}</summary>"
    return f"\n<details>\n{summary}\n\n{''.join(items)}\n</details>\n"


def _item(finding: Finding) -> str:
    mark = escaped(marker(finding))
    words = (
        f"{place(finding)} **{finding.risk.value}**",
        finding.code,
        escaped(finding.name),
        mark,
    )
    return f"* {' '.join(filter(None, words))}: {_cut(escaped, full_message(finding))}\n"


def _cut(format_: Callable[[str], str], text: str) -> str:
    """Formatted text of at most a certain length, so that one message cannot take all the room."""
    return format_(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")


def _rest(number: int, noun: str) -> list[str]:
    return [f"... and {counted(number, f'more {noun}')}."] if number > 0 else []


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *(["---:"] * (len(header) - 1))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))


def _size(text: str) -> int:
    return len(text.encode(errors="backslashreplace"))
