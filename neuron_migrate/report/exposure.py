"""Compile exposure: how many input shapes the code can make, and what compiling them may cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.finding import BUCKET, Finding
from neuron_migrate.report.layout import TOP, counted, item, more, one_line, paragraph, section
from neuron_migrate.report.layout import table as aligned
from neuron_migrate.report.listing import place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MINUTES = 1
"""What compiling for one new shape takes, about: TRL's release notes give this figure."""
BOUND = (
    "Every new shape costs a compilation, about a minute by TRL's release notes. Upper bounds, read"
    " off the code:"
)


class Exposure(msgspec.Struct, frozen=True, kw_only=True):
    """The places that make input shapes."""

    bounded: tuple[Finding, ...] = ()
    """Those whose number can be read, most shapes first."""
    open: tuple[Finding, ...] = ()
    """Those for which no bound can be read."""

    @property
    def sites(self) -> int:
        return len(self.bounded) + len(self.open)

    @property
    def shapes(self) -> int:
        """The sum of the bounds."""
        return sum(f.shapes.at_most or 0 for f in self.bounded if f.shapes)

    @property
    def in_buckets(self) -> int:
        """The same if lengths were padded to multiples of ``BUCKET``."""
        return sum(f.shapes.in_buckets or 0 for f in self.bounded if f.shapes)


def of(findings: Iterable[Finding]) -> Exposure:
    """The exposure of a run, from its findings in the order of the code."""
    sites = [finding for finding in findings if finding.shapes is not None]
    bounded = [finding for finding in sites if _at_most(finding)]
    return Exposure(
        bounded=tuple(sorted(bounded, key=_at_most, reverse=True)),
        open=tuple(finding for finding in sites if not _at_most(finding)),
    )


def lines(exposure: Exposure) -> list[str]:
    """The section of the risk report; nothing where the code makes no shapes of its own."""
    if not exposure.sites:
        return []
    bounded = _bounded(exposure) if exposure.bounded else []
    return section("Compile exposure", [*bounded, *_open(exposure.open)])


def _bounded(exposure: Exposure) -> list[str]:
    shown = exposure.bounded[:TOP]
    cells = [("", str(f.shapes.at_most), str(f.shapes.in_buckets)) for f in shown if f.shapes]
    header = ("", "shapes", f"in {BUCKET}s")
    numbers = aligned(header, cells)
    sites = ["site", *map(_site, shown)]
    listed = [f"{number}  {site}" for number, site in zip(numbers, sites, strict=True)]
    return [
        *paragraph(BOUND, first="  ", rest="  "),
        *listed,
        *more(len(exposure.bounded)),
        *paragraph(total(exposure), first="  ", rest="  "),
    ]


def total(exposure: Exposure) -> str:
    """What the bounds add up to."""
    return (
        f"Added up {counted(exposure.shapes, 'shape')}, {duration(exposure.shapes)}; with lengths"
        f" padded to multiples of {BUCKET}: {exposure.in_buckets},"
        f" {duration(exposure.in_buckets)}."
        f"{_counted_for(exposure.bounded)} Lengths and batch sizes that vary together multiply."
    )


def _site(finding: Finding) -> str:
    return f"{finding.code} {one_line(finding.path)}:{place(finding)}"


def _counted_for(findings: Sequence[Finding]) -> str:
    """What some of the numbers are for each of."""
    known = dict.fromkeys((f.code, f.shapes.per) for f in findings if f.shapes and f.shapes.per)
    return "".join(f" Those of {code} are for each {per}." for code, per in known)


def _open(findings: Sequence[Finding]) -> list[str]:
    """The places without a bound, by rule: there may be many."""
    if not findings:
        return []
    texts = [_group(name, group) for name, group in by_rule(findings)]
    first = paragraph(unbounded(findings), first="  ", rest="  ")
    return [*first, *(line for text in texts for line in item(text))]


def unbounded(findings: Sequence[Finding]) -> str:
    """What the places without a bound mean."""
    return (
        f"Not bounded by what is written there: {counted(len(findings), 'place')}. torch.compile"
        " runs a function eagerly after 8 shapes, and eager mode compiles for each shape too."
    )


def by_rule(findings: Sequence[Finding]) -> list[tuple[str, list[Finding]]]:
    """The findings of each rule, the rule with most first."""
    names: dict[str, list[Finding]] = {}
    for finding in findings:
        names.setdefault(f"{finding.code} {finding.name}", []).append(finding)
    return sorted(names.items(), key=lambda entry: (-len(entry[1]), entry[0]))


def _group(name: str, group: Sequence[Finding]) -> str:
    where = f"{group[0].path}:{place(group[0])}"
    return f"{name}: {where}" if len(group) == 1 else f"{name}: {len(group)}, first {where}"


def duration(shapes: int) -> str:
    """About how long compiling that many shapes takes."""
    minutes = shapes * MINUTES
    if minutes < 90:
        return f"about {counted(minutes, 'minute')}"
    hours = minutes / 60
    return f"about {hours:.1f} hours" if hours < 10 else f"about {hours:.0f} hours"


def _at_most(finding: Finding) -> int:
    return (finding.shapes.at_most or 0) if finding.shapes else 0
