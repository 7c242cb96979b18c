"""The compile bill: what would be compiled, which line is behind it, what padding would save."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from neuron_migrate.rehearsal.families import Family, families
from neuron_migrate.rehearsal.lengths import Lengths
from neuron_migrate.rehearsal.model import Bill, Place, Site, Varying

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from neuron_migrate.catalog.rehearsal import CompileFact
    from neuron_migrate.rehearse.recording import Line, Operator, Recording

_VALUES = 4
"""Sizes of a dimension that are spelled out."""

Key = tuple[object, ...]
"""What is compiled once."""


def bill(
    recordings: Sequence[Recording], fact: CompileFact, place: Callable[[Line], Place]
) -> Bill:
    """The bill of all processes together: what two of them need is counted once."""
    found = [family for each in recordings for family in families(each.operators)]
    lengths = Lengths(sizes for family in found for sizes in family.varying.values())
    paddings = {id(op): _padded(op, family, lengths) for family in found for op in family.members}
    calls = [operator for each in recordings for operator in each.operators]
    now = compiled(recordings)
    later = _owners(calls, paddings)
    ordered = all(operator.first for operator in calls)
    total, padded = len(now), min(len(now), len(later))
    regions = sum(key[0] == "region" for key in now)
    return Bill(
        eager=total - regions,
        regions=regions,
        padded=padded if ordered else None,
        seconds=_times(total, fact.seconds),
        padded_seconds=_times(padded, fact.seconds) if ordered else None,
        why=fact.why,
        sources=fact.sources,
        fusion=fact.fusion,
        sites=_sites(calls, now, later if ordered else None, place),
        varying=_varying(found, lengths, place),
    )


def compiled(recordings: Iterable[Recording]) -> dict[Key, Line]:
    """What is compiled, and the line that needs it first."""
    calls = [operator for each in recordings for operator in each.operators]
    return _owners(calls, {id(operator): _key(operator) for operator in calls})


def _times(number: int, seconds: tuple[int, int]) -> tuple[int, int]:
    return number * seconds[0], number * seconds[1]


def _key(operator: Operator) -> Key:
    return ("eager", operator.name, operator.operands)


def _padded(operator: Operator, family: Family, lengths: Lengths) -> Key:
    """The key that an operator would have with its lengths padded."""
    varying = {spot: lengths.padded(sizes) for spot, sizes in family.varying.items()}
    operands = tuple(
        (
            tuple(
                varying[number, dimension][size] if (number, dimension) in varying else size
                for dimension, size in enumerate(operand.shape)
            ),
            operand.dtype,
        )
        for number, operand in enumerate(operator.operands)
    )
    return ("eager", operator.name, operands)


def _owners(calls: Iterable[Operator], keys: Mapping[int, Key]) -> dict[Key, Line]:
    """What is compiled, and the line that needs it first; a region is all that runs in it."""
    owners: dict[Key, Line] = {}
    regions: dict[str, list[Key]] = {}
    starts: dict[str, Line] = {}
    for operator in calls:
        if operator.graph:
            regions.setdefault(operator.graph, []).append(keys[id(operator)])
            starts.setdefault(operator.graph, operator.line)
        else:
            owners.setdefault(keys[id(operator)], operator.line)
    for name, inside in regions.items():
        owners.setdefault(("region", *sorted(set(inside), key=repr)), starts[name])
    return owners


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
        operand=_operand(shown, lengths),
        extra=len({_key(op) for family in group for op in family.members[1:]}),
    )


def _clutter(family: Family, lengths: Lengths) -> tuple[int, int]:
    factors = sum(lengths.factor(sizes) > 1 for sizes in family.varying.values())
    return factors, len(family.varying)


def _operand(family: Family, lengths: Lengths) -> str:
    """The first operand that varies: ``12x{17,23,31}``, or ``12*{17,23,31}x8`` when flattened."""
    varying = family.varying
    number = min(number for number, _ in varying)
    shape = family.members[0].operands[number].shape
    return "x".join(
        _values(varying[number, dimension], lengths.factor(varying[number, dimension]))
        if (number, dimension) in varying
        else str(size)
        for dimension, size in enumerate(shape)
    )


def _values(sizes: frozenset[int], factor: int) -> str:
    values = sorted(size // factor for size in sizes)
    listed = [*map(str, values[:_VALUES]), *(["..."] if len(values) > _VALUES else [])]
    return (f"{factor}*" if factor > 1 else "") + "{" + ",".join(listed) + "}"
