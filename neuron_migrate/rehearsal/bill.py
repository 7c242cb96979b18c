"""The compile bill: what would be compiled, which line is behind it, what padding would save."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from neuron_migrate.rehearsal import shapes
from neuron_migrate.rehearsal.compiling import now, owners
from neuron_migrate.rehearsal.model import Bill, Place, Seconds, Site, Varying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from neuron_migrate.catalog.rehearsal import CompileFact
    from neuron_migrate.rehearsal.compiling import Compiling, Key
    from neuron_migrate.rehearsal.families import Family
    from neuron_migrate.rehearsal.lengths import Lengths
    from neuron_migrate.rehearse.recording import Line, Operator


def bill(compiling: Compiling, fact: CompileFact, place: Callable[[Line], Place]) -> Bill:
    """The bill of all processes together: what two of them need is counted once."""
    needed = owners(compiling.calls, now)
    later = owners(compiling.calls, compiling.later)
    total, padded = len(needed), min(len(needed), len(later))
    regions = sum(key[0] == "region" for key in needed)
    ordered = compiling.ordered
    return Bill(
        eager=total - regions,
        regions=regions,
        padded=padded if ordered else None,
        seconds=_times(total, fact.seconds),
        padded_seconds=_times(padded, fact.seconds) if ordered else None,
        why=fact.why,
        sources=fact.sources,
        fusion=fact.fusion,
        sites=_sites(compiling.calls, needed, later if ordered else None, place),
        varying=_varying([*compiling.eager, *compiling.graphs], compiling.lengths, place),
    )


def _times(number: int, seconds: tuple[int, int]) -> Seconds:
    return Seconds(least=number * seconds[0], most=number * seconds[1])


def _sites(
    calls: Iterable[Operator],
    now: Mapping[Key, Line],
    later: Mapping[Key, Line] | None,
    place: Callable[[Line], Place],
) -> tuple[Site, ...]:
    counts = Counter(map(place, now.values()))
    padded = Counter(map(place, later.values())) if later is not None else None
    regions = Counter(place(line) for key, line in now.items() if key[0] == "region")
    called: Counter[Place] = Counter()
    for operator in calls:
        called[place(operator.line)] += operator.count
    sites = (
        Site(
            place=each,
            compilations=count,
            regions=regions[each],
            padded=None if padded is None else min(count, padded[each]),
            calls=called[each],
        )
        for each, count in counts.items()
    )
    return tuple(sorted(sites, key=lambda site: (-site.compilations, site.place)))


def _varying(
    found: Iterable[Family], lengths: Lengths, place: Callable[[Line], Place]
) -> tuple[Varying, ...]:
    by_place: dict[Place, list[Family]] = {}
    for family in found:
        if family.varying:
            by_place.setdefault(place(family.members[0].line), []).append(family)
    lines = (_line(each, group, lengths) for each, group in by_place.items())
    return tuple(sorted(lines, key=lambda line: (-line.extra, line.place)))


def _line(place: Place, group: Sequence[Family], lengths: Lengths) -> Varying:
    """One line, shown by the family with most members and the clearest shape."""
    shown = min(group, key=lambda family: (-len(family.members), _clutter(family, lengths)))
    return Varying(
        place=place,
        operator=shown.members[0].name,
        operand=shapes.first(shown, lengths),
        extra=len({now(op) for family in group for op in family.members[1:]}),
    )


def _clutter(family: Family, lengths: Lengths) -> tuple[int, int]:
    factors = sum(lengths.factor(sizes) > 1 for sizes in family.varying.values())
    return factors, len(family.varying)
