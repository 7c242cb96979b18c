"""The functions that torch.compile compiles: their graphs, and what went on meanwhile."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from neuron_migrate.rehearsal import shapes
from neuron_migrate.rehearsal.compiling import now
from neuron_migrate.rehearsal.model import Captured, Event, Region

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neuron_migrate.rehearsal.compiling import Compiling
    from neuron_migrate.rehearsal.families import Family
    from neuron_migrate.rehearsal.model import Place
    from neuron_migrate.rehearse.recording import Line, Recording

_KINDS = ("failure", "limit", "fallback", "inductor", "recompile", "break")
"""The gravest first."""
_SIZES = re.compile(r"(?<=expected ).*, actual .*")
"""Of a guard on sizes: other sizes are no other reason."""


def regions(
    compiling: Compiling, recordings: Sequence[Recording], place: Callable[[Line], Place]
) -> tuple[Region, ...]:
    """Those of all processes, the dearest first."""
    found: dict[Place, list[Family]] = {}
    for family in compiling.graphs:
        found.setdefault(place(family.members[0].line), []).append(family)
    events = _events(recordings, place)
    made = (
        _region(each, found.get(each, []), events.get(each, []), compiling)
        for each in {**found, **events}
    )
    return tuple(sorted(made, key=lambda region: (-region.graphs, region.place)))


def _region(
    place: Place, found: Sequence[Family], events: Sequence[Event], compiling: Compiling
) -> Region:
    graphs, padded = _counts(found, compiling)
    rows: dict[tuple[str, tuple[str, ...]], list[Family]] = {}
    for family in found:
        rows.setdefault((family.members[0].name, _inputs(family, compiling)), []).append(family)
    return Region(
        place=place,
        graphs=graphs,
        padded=padded,
        captured=tuple(_captured(*key, group, compiling) for key, group in rows.items()),
        events=tuple(events),
    )


def _captured(
    kind: str, inputs: tuple[str, ...], found: Sequence[Family], compiling: Compiling
) -> Captured:
    graphs, padded = _counts(found, compiling)
    calls = sum(member.count for family in found for member in family.members)
    return Captured(kind=kind, inputs=inputs, graphs=graphs, padded=padded, calls=calls)


def _counts(found: Sequence[Family], compiling: Compiling) -> tuple[int, int | None]:
    members = [member for family in found for member in family.members]
    graphs = len({now(member) for member in members})
    padded = len({compiling.later(member) for member in members})
    return graphs, min(graphs, padded) if compiling.ordered else None


def _inputs(family: Family, compiling: Compiling) -> tuple[str, ...]:
    return tuple(
        f"{operand.dtype} {shapes.spelled(family, number, compiling.lengths)}".strip()
        for number, operand in enumerate(family.members[0].operands)
    )


def _events(
    recordings: Sequence[Recording], place: Callable[[Line], Place]
) -> dict[Place, list[Event]]:
    counts: Counter[tuple[Place, str, Place, str]] = Counter()
    reasons: dict[tuple[Place, str, Place, str], str] = {}
    for recording in recordings:
        for each in recording.compilations:
            sort = _SIZES.sub("", each.reason)
            key = (place(each.region), each.kind, place(each.line), sort)
            counts[key] += each.count
            reasons.setdefault(key, each.reason)
    found: dict[Place, list[Event]] = {}
    for key, count in counts.items():
        region, kind, at, _ = key
        event = Event(kind=kind, place=at, reason=reasons[key], count=count)  # type: ignore[arg-type]
        found.setdefault(region, []).append(event)
    for events in found.values():
        events.sort(key=lambda event: _KINDS.index(event.kind))
    return found
