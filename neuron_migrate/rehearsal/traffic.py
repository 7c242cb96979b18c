"""Copies between host and device, and where the host waits."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from neuron_migrate.rehearsal.model import Exchange, Place, Traffic, Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from neuron_migrate.rehearse.recording import Line, Recording


def transfers(
    recordings: Iterable[Recording], place: Callable[[Line], Place]
) -> tuple[Traffic, ...]:
    """The copies of all processes, by line, most bytes first."""
    counts: Counter[tuple[str, Place]] = Counter()
    sizes: Counter[tuple[str, Place]] = Counter()
    for recording in recordings:
        for transfer in recording.transfers:
            key = (transfer.direction, place(transfer.line))
            counts[key] += transfer.count
            sizes[key] += transfer.bytes
    found = (
        Traffic(place=key[1], direction=key[0], count=count, bytes=sizes[key])
        for key, count in counts.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.bytes, -each.count, each.place)))


def waits(recordings: Iterable[Recording], place: Callable[[Line], Place]) -> tuple[Wait, ...]:
    """The waits of all processes, by line, most frequent first."""
    counts: Counter[tuple[str, Place]] = Counter()
    for recording in recordings:
        for each in recording.synchronisations:
            counts[each.kind, place(each.line)] += each.count
    found = (Wait(place=key[1], kind=key[0], count=count) for key, count in counts.items())
    return tuple(sorted(found, key=lambda each: (-each.count, each.place, each.kind)))


def collectives(
    recordings: Iterable[Recording], place: Callable[[Line], Place]
) -> tuple[Exchange, ...]:
    """What ranks exchange, most bytes first; ranks that do the same are folded."""
    found: dict[tuple[str, Place], list[tuple[int, int]]] = {}
    for recording in recordings:
        own: Counter[tuple[str, Place]] = Counter()
        sizes: Counter[tuple[str, Place]] = Counter()
        for each in recording.collectives:
            key = (each.name, place(each.line))
            own[key] += each.count
            sizes[key] += each.bytes
        for key, count in own.items():
            found.setdefault(key, []).append((count, sizes[key]))
    exchanges = (
        Exchange(
            place=key[1],
            name=key[0],
            ranks=len(counts),
            count=max(count for count, _ in counts),
            bytes=max(size for _, size in counts),
        )
        for key, counts in found.items()
    )
    return tuple(sorted(exchanges, key=lambda each: (-each.bytes, -each.count, each.place)))
