"""Counts what happens on the device while the program runs."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from neuron_migrate.rehearse import recording
from neuron_migrate.rehearse.lines import Lines, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Operands = tuple[tuple[tuple[int, ...], Any], ...]
Attributes = tuple[tuple[str, Any], ...]

EVERY = 64
"""Operators between looks at the clock."""
SECONDS = 0.5, 5.0
"""Between snapshots: at first, and at most while they are quickly made."""
SHARE = 50
"""A snapshot comes at the earliest after so many times the seconds that the last one took."""


@dataclass
class CompiledGraph:
    """A graph of `torch.compile` and its counters."""

    region: Place
    kind: str
    inputs: Operands
    nodes: int
    digest: str
    traces: int = 0
    calls: int = 0
    first: int = 0

    @property
    def name(self) -> str:
        """What tells it from all others of the program, the same in every process."""
        path, line, function = self.region
        return f"{function or path}:{line} {self.kind} {self.digest}"


class Recorder:
    """Aggregates by key while it runs, so that its size follows the program's text, not its length.

    `graph` names the compiled region that is running, empty in eager mode.
    """

    def __init__(self) -> None:
        self.lines = Lines()
        self.graph = ""
        self._operators: dict[tuple[str, Operands, Attributes, str, Place, bool], list[int]] = {}
        self._met = 1
        self._before_tracking: dict[tuple[str, Operands, Attributes, str, Place, bool], int] = {}
        self._transfers: dict[tuple[str, Place], list[int]] = {}
        self._waits: dict[tuple[str, Place], int] = {}
        self._collectives: dict[tuple[str, Place], list[int]] = {}
        self._notes: dict[tuple[str, Place], None] = {}
        self._graphs: dict[str, CompiledGraph] = {}
        self._compilations: dict[tuple[str, Place, Place, str], int] = {}
        self._parameters: dict[tuple[int, ...], None] = {}
        self._snapshot: Callable[[], None] | None = None
        self._pause = SECONDS[0]
        self._due = monotonic() + self._pause
        self._left = EVERY

    def operator(
        self,
        name: str,
        operands: Operands,
        attributes: Attributes,
        place: Place,
        backward: bool = False,
    ) -> bool:
        """One call of an operator that the device would compile so; whether it is the first."""
        self._left -= 1
        if not self._left:
            self._look_at_clock()
        key = (name, operands, attributes, self.graph, place, backward)
        known = self._operators.get(key)
        if known is None:
            self._operators[key] = [1, self._met]
            return True
        known[0] += 1
        return False

    def parameter(self, shape: tuple[int, ...]) -> None:
        """The shape of a parameter of a module."""
        self._parameters[shape] = None

    def keep(self, snapshot: Callable[[], None]) -> None:
        """Call this every few seconds, for what a process that is killed cannot write any more."""
        self._snapshot = snapshot

    def _look_at_clock(self) -> None:
        self._left = EVERY
        begin = monotonic()
        if self._snapshot is None or begin < self._due:
            return
        self._due = begin + SECONDS[1]  # of another thread that gets here meanwhile
        self._snapshot()
        end = monotonic()
        self._pause = min(2 * self._pause, SECONDS[1])
        self._due = end + max(self._pause, SHARE * (end - begin))

    def transfer(self, direction: str, size: int, place: Place) -> None:
        """One copy of `size` bytes between host and device."""
        total = self._transfers.setdefault((direction, place), [0, 0])
        total[0] += 1
        total[1] += size
        self._met += direction == "to_device"

    def collective(self, name: str, size: int, place: Place) -> None:
        """One collective over `size` bytes of this rank's tensors."""
        total = self._collectives.setdefault((name, place), [0, 0])
        total[0] += 1
        total[1] += size

    def wait(self, kind: str, place: Place) -> None:
        """One point where the host waits for the device."""
        key = (kind, place)
        self._waits[key] = self._waits.get(key, 0) + 1
        self._met += 1

    def note(self, text: str, place: Place) -> None:
        """Something that the reader of the report should know, once for each line."""
        self._notes[text, place] = None

    def compiled(self, graph: CompiledGraph) -> CompiledGraph:
        """The entry of a graph that was compiled: the one there is, if it was compiled before."""
        known = self._graphs.setdefault(graph.name, graph)
        known.first = known.first or self._met
        known.traces += 1
        return known

    def compilation(self, kind: str, region: Place, place: Place, reason: str) -> None:
        """Something that happened while a region was compiled."""
        key = (kind, region, place, reason)
        self._compilations[key] = self._compilations.get(key, 0) + 1

    def has_events(self) -> bool:
        """Whether anything was counted."""
        return bool(
            self._operators
            or self._transfers
            or self._waits
            or self._collectives
            or self._compilations
        )

    def clear(self) -> None:
        """Forget the counts: a forked child starts with none."""
        self._operators.clear()
        self._before_tracking.clear()
        self._transfers.clear()
        self._waits.clear()
        self._collectives.clear()
        self._notes.clear()
        self._compilations.clear()
        for graph in self._graphs.values():
            graph.traces = graph.calls = 0
        self._pause = SECONDS[0]

    def track(self) -> None:
        """Let `tracked` begin here."""
        self._before_tracking = {key: count for key, (count, _) in self._operators.items()}

    def tracked(self) -> Iterable[recording.Operator]:
        """What was counted since the tracking began."""
        before = self._before_tracking
        for operator, key in zip(self.operators(), self._operators, strict=True):
            if operator.count > before.get(key, 0):
                yield msgspec.structs.replace(operator, count=operator.count - before.get(key, 0))

    def operators(self) -> Iterable[recording.Operator]:
        """What was counted, for the recording."""
        for key, (count, first) in [*self._operators.items()]:
            name, operands, attributes, graph, place, backward = key
            yield recording.Operator(
                name,
                _tensors(operands),
                recording.Line(*place),
                count,
                graph,
                first,
                tuple(f"{argument}={_plain(value)}" for argument, value in attributes),
                backward,
            )

    def transfers(self) -> Iterable[recording.Transfer]:
        """What was copied, for the recording."""
        for (direction, place), (count, size) in [*self._transfers.items()]:
            yield recording.Transfer(direction, recording.Line(*place), count, size)

    def collectives(self) -> Iterable[recording.Collective]:
        """What ranks exchanged, for the recording."""
        for (name, place), (count, size) in [*self._collectives.items()]:
            yield recording.Collective(name, recording.Line(*place), count, size)

    def synchronisations(self) -> Iterable[recording.Synchronisation]:
        """Where the host waited, for the recording."""
        for (kind, place), count in [*self._waits.items()]:
            yield recording.Synchronisation(kind, recording.Line(*place), count)

    def notes(self) -> Iterable[recording.Note]:
        """What the reader should know, for the recording."""
        for text, place in [*self._notes]:
            yield recording.Note(text, recording.Line(*place))

    def graphs(self) -> Iterable[recording.Graph]:
        """What was compiled or ran, for the recording."""
        for graph in [*self._graphs.values()]:
            if graph.traces or graph.calls:
                yield recording.Graph(
                    name=graph.name,
                    region=recording.Line(*graph.region),
                    kind=graph.kind,
                    inputs=_tensors(graph.inputs),
                    nodes=graph.nodes,
                    digest=graph.digest,
                    traces=graph.traces,
                    calls=graph.calls,
                    first=graph.first,
                )

    def compilations(self) -> Iterable[recording.Compilation]:
        """What else happened while compiling, for the recording."""
        for (kind, region, place, reason), count in [*self._compilations.items()]:
            yield recording.Compilation(
                kind, recording.Line(*region), recording.Line(*place), reason, count
            )

    def parameters(self) -> Iterable[tuple[int, ...]]:
        """The shapes of parameters, for the recording."""
        return [*self._parameters]


def _plain(value: Any) -> str:
    return str(value).removeprefix("torch.")


def _tensors(operands: Operands) -> tuple[recording.Tensor, ...]:
    return tuple(
        recording.Tensor(tuple(shape), str(dtype).removeprefix("torch."))
        for shape, dtype in operands
    )
