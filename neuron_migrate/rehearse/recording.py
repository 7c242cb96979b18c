"""What a rehearsed process reports: the file between the simulated device and the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 1
RUNNING = "running"


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
    `attributes` are arguments that are no tensors and were not left at their default: `dim=(1,)`.
    Numbers that may be an input of the graph as well (`Scalar`, `float`) are not among them, and
    neither is what says where rather than what: devices, generators, layouts. `backward` says that
    autograd ran it, for what the line had done before.
    """

    name: str
    operands: tuple[Tensor, ...]
    line: Line
    count: int
    graph: str = ""
    first: int = 0
    attributes: tuple[str, ...] = ()
    backward: bool = False


class Graph(msgspec.Struct, frozen=True):
    """One compilation of a region of `torch.compile`; `name` is what its operators have as `graph`.

    `region` is the function, at its first line. `kind` is `inference`, `forward` or `backward`:
    where gradients are wanted, a region is two graphs. `inputs` is the signature that was new: the
    tensors that the function was given, without parameters and buffers. `nodes` counts operators,
    `traces` how often Dynamo captured the very same graph, `calls` how often it ran. Of two graphs
    with the same `digest` a compiler sees the same text. `first` is as that of operators.
    """

    name: str
    region: Line
    kind: str
    inputs: tuple[Tensor, ...]
    nodes: int
    digest: str
    traces: int
    calls: int
    first: int = 0


class Compilation(msgspec.Struct, frozen=True):
    """Something that happened while Dynamo compiled, other than a graph; `kind` says what.

    `break`: a graph ended early at `line`. `recompile`: no graph of the region fitted.
    `limit`: Dynamo compiled the region too often, and new inputs run eagerly from then on.
    `failure`: the backend refused a graph. `fallback`: so too, and the program asked to run it
    eagerly then. `inductor`: the program asked for a backend that has no code for the device.
    """

    kind: str
    region: Line
    line: Line
    reason: str
    count: int = 1


class Transfer(msgspec.Struct, frozen=True):
    """Copies between host and device; `direction` is `to_device`, `to_host` or `between_devices`.

    `bytes` is the sum over all `count` copies.
    """

    direction: str
    line: Line
    count: int
    bytes: int


class Collective(msgspec.Struct, frozen=True):
    """Collectives between ranks: `name` is torch's (`allreduce`, `allgather_base`, `send`, …).

    `bytes` is the sum of this rank's tensors, sent and received, over all `count` calls.
    """

    name: str
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
    """How the process ended: `status` is `finished`, `exited` or `raised`, with what was raised.

    `running` is that of a process which did not live to say: what it did until shortly before.
    """

    status: str
    exit_code: int = 0
    exception: str = ""
    message: str = ""
    frames: tuple[Frame, ...] = ()


class Recording(msgspec.Struct, frozen=True):
    """Everything one process did with the device.

    `kind` is `script`, `rank` for a process of torchrun, `worker` for others that it started.
    `parameters` are the shapes of the parameters of modules that the device was given.
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
    collectives: tuple[Collective, ...] = ()
    graphs: tuple[Graph, ...] = ()
    compilations: tuple[Compilation, ...] = ()
    parameters: tuple[tuple[int, ...], ...] = ()


def write(recording: Recording, path: Path) -> None:
    """Write one process's recording beside those of the others: `path` is the run's directory.

    That of a process which is still running is replaced by the next.
    """
    path.mkdir(parents=True, exist_ok=True)
    part = path / f"{recording.process}.part"
    part.write_bytes(msgspec.msgpack.encode(recording))
    snapshot = path / f"{RUNNING}-{recording.process}.msgpack"
    if recording.outcome.status == RUNNING:
        part.rename(snapshot)
    else:
        part.rename(path / f"{recording.kind}-{recording.process}.msgpack")
        snapshot.unlink(missing_ok=True)


def read(path: Path) -> list[Recording]:
    """The recordings of all processes of a run, the script's own first."""
    decoder = msgspec.msgpack.Decoder(Recording)
    # What a process wrote at its end comes after what it wrote while it ran.
    files = sorted(path.glob("*.msgpack"), key=lambda file: not file.name.startswith(RUNNING))
    by_process = {each.process: each for each in (decoder.decode(f.read_bytes()) for f in files)}
    found = by_process.values()
    return sorted(found, key=lambda recording: (recording.kind != "script", recording.process))
