"""Counts what happens on the device while the program runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from neuron_migrate.rehearse import recording
from neuron_migrate.rehearse.lines import Lines, Place

if TYPE_CHECKING:
    from collections.abc import Iterable

Operands = tuple[tuple[tuple[int, ...], Any], ...]


class Recorder:
    """Aggregates by key while it runs, so that its size follows the program's text, not its length.

    `graph` names the compiled region that is running, empty in eager mode.
    """

    def __init__(self) -> None:
        self.lines = Lines()
        self.graph = ""
        self._operators: dict[tuple[str, Operands, str, Place], int] = {}
        self._before_tracking: dict[tuple[str, Operands, str, Place], int] = {}
        self._transfers: dict[tuple[str, Place], list[int]] = {}
        self._waits: dict[tuple[str, Place], int] = {}
        self._notes: dict[tuple[str, Place], None] = {}

    def operator(self, name: str, operands: Operands, place: Place) -> None:
        """One call of an operator that the device would compile for these shapes."""
        key = (name, operands, self.graph, place)
        self._operators[key] = self._operators.get(key, 0) + 1

    def transfer(self, direction: str, size: int, place: Place) -> None:
        """One copy of `size` bytes between host and device."""
        total = self._transfers.setdefault((direction, place), [0, 0])
        total[0] += 1
        total[1] += size

    def wait(self, kind: str, place: Place) -> None:
        """One point where the host waits for the device."""
        key = (kind, place)
        self._waits[key] = self._waits.get(key, 0) + 1

    def note(self, text: str, place: Place) -> None:
        """Something that the reader of the report should know, once for each line."""
        self._notes[text, place] = None

    def has_events(self) -> bool:
        """Whether anything was counted."""
        return bool(self._operators or self._transfers or self._waits)

    def clear(self) -> None:
        """Forget the counts: a forked child starts with none."""
        self._operators.clear()
        self._before_tracking.clear()
        self._transfers.clear()
        self._waits.clear()
        self._notes.clear()

    def track(self) -> None:
        """Let `tracked` begin here."""
        self._before_tracking = dict(self._operators)

    def tracked(self) -> Iterable[recording.Operator]:
        """What was counted since the tracking began."""
        before = self._before_tracking
        for operator, key in zip(self.operators(), self._operators, strict=True):
            if operator.count > before.get(key, 0):
                yield msgspec.structs.replace(operator, count=operator.count - before.get(key, 0))

    def operators(self) -> Iterable[recording.Operator]:
        """What was counted, for the recording."""
        for (name, operands, graph, place), count in self._operators.items():
            tensors = tuple(
                recording.Tensor(tuple(shape), str(dtype).removeprefix("torch."))
                for shape, dtype in operands
            )
            yield recording.Operator(name, tensors, recording.Line(*place), count, graph)

    def transfers(self) -> Iterable[recording.Transfer]:
        """What was copied, for the recording."""
        for (direction, place), (count, size) in self._transfers.items():
            yield recording.Transfer(direction, recording.Line(*place), count, size)

    def synchronisations(self) -> Iterable[recording.Synchronisation]:
        """Where the host waited, for the recording."""
        for (kind, place), count in self._waits.items():
            yield recording.Synchronisation(kind, recording.Line(*place), count)

    def notes(self) -> Iterable[recording.Note]:
        """What the reader should know, for the recording."""
        for text, place in self._notes:
            yield recording.Note(text, recording.Line(*place))
