"""What a rehearsed process reports: the file between the simulated device and the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

VERSION = 1


class Line(msgspec.Struct, frozen=True, order=True):
    """A place in the user's program; an empty path means that no frame of it was active."""

    path: str
    number: int
    function: str = ""


class Tensor(msgspec.Struct, frozen=True):
    """A tensor operand as a compiler sees it: `dtype` without the leading `torch.`."""

    shape: tuple[int, ...]
    dtype: str


class Operator(msgspec.Struct, frozen=True):
    """Calls of one operator overload (`aten::add.Tensor`) with equal operands from one line.

    `graph` is empty for eager calls; in a compiled region it names the region's graph.
    `first` is one more than the copies to the device and the waits that came before the first of
    the calls, 0 where nobody counted: what a line meets later than it first ran varies.
    """

    name: str
    operands: tuple[Tensor, ...]
    line: Line
    count: int
    graph: str = ""
    first: int = 0


class Transfer(msgspec.Struct, frozen=True):
    """Copies between host and device; `direction` is `to_device`, `to_host` or `between_devices`.

    `bytes` is the sum over all `count` copies.
    """

    direction: str
    line: Line
    count: int
    bytes: int


class Synchronisation(msgspec.Struct, frozen=True):
    """Points where the host waits for the device: `kind` is `item`, `print`, `synchronize`, …"""

    kind: str
    line: Line
    count: int


class Memory(msgspec.Struct, frozen=True):
    """The most bytes of tensors on one logical core, and the line whose tensor made the peak."""

    core: int
    peak: int
    peak_line: Line


class Note(msgspec.Struct, frozen=True):
    """Something about the run that numbers do not say."""

    text: str
    line: Line


class Frame(msgspec.Struct, frozen=True):
    """One frame of a traceback; `own` is true for the user's program, false for libraries."""

    line: Line
    source: str
    own: bool


class Outcome(msgspec.Struct, frozen=True):
    """How the process ended: `status` is `finished`, `exited` or `raised`, with what was raised."""

    status: str
    exit_code: int = 0
    exception: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()


class Recording(msgspec.Struct, frozen=True):
    """Everything one process did with the device.

    `kind` is `script`, `rank` for a process of torchrun, `worker` for others that it started.
    """

    version: int
    process: int
    kind: str
    command: tuple[str, ...]
    torch: str
    seconds: float
    outcome: Outcome
    operators: tuple[Operator, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    synchronisations: tuple[Synchronisation, ...] = ()
    memory: tuple[Memory, ...] = ()
    rank: int | None = None
    notes: tuple[Note, ...] = ()


def write(recording: Recording, path: Path) -> None:
    """Write one process's recording beside those of the others: `path` is the run's directory."""
    path.mkdir(parents=True, exist_ok=True)
    part = path / f"{recording.process}.part"
    part.write_bytes(msgspec.msgpack.encode(recording))
    part.rename(path / f"{recording.kind}-{recording.process}.msgpack")


def read(path: Path) -> list[Recording]:
    """The recordings of all processes of a run, the script's own first."""
    decoder = msgspec.msgpack.Decoder(Recording)
    found = [decoder.decode(file.read_bytes()) for file in sorted(path.glob("*.msgpack"))]
    return sorted(found, key=lambda recording: (recording.kind != "script", recording.process))


def uses_of(recordings: Iterable[Recording], dtypes: frozenset[str]) -> dict[Line, set[str]]:
    """The lines that gave the device operands of these dtypes, and which."""
    uses: dict[Line, set[str]] = {}
    for recording in recordings:
        for operator in recording.operators:
            seen = {operand.dtype for operand in operator.operands} & dtypes
            if seen:
                uses.setdefault(operator.line, set()).update(seen)
    return uses
