"""The summary of a rehearsal: what formatters show. Lists are sorted by cost, dearest first."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.catalog.rehearsal import Support  # noqa: TC001 - msgspec reads it

Ending = Literal["finished", "exited", "raised", "interrupted", "killed"]


class Place(msgspec.Struct, frozen=True, order=True):
    """A line of the program; `path` is relative to the working directory where it is inside.

    An empty path stands for work that no line of the program was behind.
    """

    path: str
    line: int
    function: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.path else "outside the program"


class Frame(msgspec.Struct, frozen=True):
    """One frame of the traceback that belongs to the program."""

    place: Place
    source: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """A rule, or a fact about exceptions, that says why the program stopped."""

    code: str = ""
    """The rule; empty where no rule speaks of it."""
    name: str = ""
    place: Place | None = None
    """Where `check` finds it; None when it is known by the message alone."""
    message: str
    fix: str = ""
    """`safe`, `unsafe`, or empty where there is none."""
    sources: tuple[str, ...] = ()


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How the program ended, and why, as far as the rules know."""

    ending: Ending
    status: int
    """The exit status of its process; negative: the signal that ended it."""
    exception: str = ""
    message: str = ""
    rank: int | None = None
    """The rank that raised, where it was one."""
    recorded: bool = True
    """False where the process left no recording at all."""
    frames: tuple[Frame, ...] = ()
    explanations: tuple[Explanation, ...] = ()


class Varying(msgspec.Struct, frozen=True, kw_only=True):
    """A line that met more shapes when it ran again."""

    place: Place
    operator: str
    operand: str
    """A shape as the sizes it has, those that vary with all their values: `12x{17,23,31}x8`."""
    extra: int
    """Compilations at this line beyond those of its first run, of all operators."""


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """A line and the compilations it was the first to need."""

    place: Place
    compilations: int
    regions: int
    """How many of these are graphs of torch.compile."""
    padded: int | None
    """The same if lengths were padded to multiples of 128; None where that is not known."""
    calls: int


class Seconds(msgspec.Struct, frozen=True, kw_only=True):
    """How long something takes by what others report; no time is measured here."""

    least: int
    most: int


class Bill(msgspec.Struct, frozen=True, kw_only=True):
    """What would be compiled."""

    eager: int
    """Different operators, operand shapes and dtypes outside compiled regions."""
    regions: int
    """Graphs of torch.compile; another shape of the inputs is another graph."""
    padded: int | None
    """Both together if lengths were padded to multiples of 128; None where the recording does not
    tell which shapes came later than others."""
    seconds: Seconds
    padded_seconds: Seconds | None
    why: str
    """Who says what a compilation takes."""
    sources: tuple[str, ...]
    fusion: str
    """The address where it is written that eager operators may be fused, which makes them fewer."""
    sites: tuple[Site, ...] = ()
    varying: tuple[Varying, ...] = ()

    @property
    def total(self) -> int:
        """All compilations."""
        return self.eager + self.regions


class Captured(msgspec.Struct, frozen=True, kw_only=True):
    """Graphs of a region that differ only in sizes that vary."""

    kind: str
    """`inference`, or `forward` and `backward` where gradients are wanted."""
    inputs: tuple[str, ...]
    """What the function was given: `float32 12x{17,23,31}x8`."""
    graphs: int
    padded: int | None
    """The same if lengths were padded to multiples of 128; None where that is not known."""
    calls: int


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """What else happened while a region was compiled."""

    kind: Literal["break", "recompile", "limit", "failure", "fallback", "inductor"]
    """`limit`: new inputs run eagerly from then on; `failure`: the compiler would refuse a graph;
    `fallback`: so too, and the program asked to go on eagerly; `inductor`: a backend without code
    for the device was asked for."""
    place: Place
    reason: str
    """The first, where others differ in sizes only."""
    count: int


class Region(msgspec.Struct, frozen=True, kw_only=True):
    """A function that torch.compile compiles, at its first line."""

    place: Place
    graphs: int
    """Compilations: of two graphs with the same text one."""
    padded: int | None
    """The same if lengths were padded to multiples of 128; None where that is not known."""
    captured: tuple[Captured, ...]
    events: tuple[Event, ...]


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """Collectives of one kind at a line."""

    place: Place
    name: str
    """As torch has it: `allreduce`."""
    ranks: int
    count: int
    """Of the rank with most."""
    bytes: int
    """Sent and received by the rank with most."""


class Traffic(msgspec.Struct, frozen=True, kw_only=True):
    """Copies at one line."""

    place: Place
    direction: str
    count: int
    bytes: int


class Wait(msgspec.Struct, frozen=True, kw_only=True):
    """Points of one line where the host waits for the device."""

    place: Place
    kind: str
    count: int


class OperatorUse(msgspec.Struct, frozen=True, kw_only=True):
    """An operator, and what public sources say of it on Neuron."""

    name: str
    support: Support
    compiled: bool
    """Whether it ran in a region of torch.compile."""
    rule: str
    """The code of the rule that says so; empty for what is unknown."""
    calls: int
    places: tuple[Place, ...]


class DtypeUse(msgspec.Struct, frozen=True, kw_only=True):
    """A dtype that Neuron has not, or not everywhere, and who asked for it."""

    kind: Literal["64-bit", "complex", "fp8"]
    dtype: str
    calls: int
    places: tuple[Place, ...]


class Core(msgspec.Struct, frozen=True, kw_only=True):
    """The peak of one logical core."""

    core: int
    rank: int | None
    peak: int
    place: Place


class Memory(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes of tensors on the cores, the fullest first."""

    limit: int
    why: str
    sources: tuple[str, ...]
    cores: tuple[Core, ...] = ()


class Process(msgspec.Struct, frozen=True, kw_only=True):
    """One process of the program."""

    kind: str
    rank: int | None
    ending: Ending
    seconds: float
    compilations: int
    peak: int


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """Something about the run that numbers do not say."""

    text: str
    places: tuple[Place, ...]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that makes a rehearsal fail although the program ended well."""

    kind: Literal["device-unused", "operator-fails", "memory", "not-compiled", "comparison"]
    message: str
    places: tuple[Place, ...] = ()


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A number that is another one on the device."""

    where: str
    """`stdout`, `stderr`, or the path of a file."""
    line: int | None
    """The line of the text on the device; None in a file of tensors."""
    text: str
    """That line; the name of the tensor."""
    found: str
    """On the device."""
    expected: str
    """On the CPU."""
    numbers: int
    """How many numbers of the line or tensor differ; this is the first."""


class Saved(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was written."""

    path: str
    status: Literal["equal", "differs", "not-compared", "device-only", "cpu-only"]
    numbers: int = 0
    """How many numbers in it were compared."""
    why: str = ""
    """Why it was not compared."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What the program prints and saves on the device, beside the same on the CPU."""

    program: str
    """`cpu` for the same program, else the path of the program that it was compared with."""
    verdict: Literal["equal", "differs", "nothing", "failed", "not-run"]
    """`nothing`: there was no number to compare; `failed`: the run on the CPU did;
    `not-run`: the run on the device did not end well."""
    tolerance: float
    """Relative; numbers that are no further apart are equal."""
    numbers: int
    """How many were compared."""
    aside: int
    """Times, rates and sizes of memory, which were not."""
    varying: int
    """Numbers that are also different in two runs on the CPU, which were not either."""
    differing: int
    """Lines and tensors with a number that differs."""
    differences: tuple[Difference, ...]
    """The first of them."""
    unmatched: tuple[str, ...]
    """Lines with numbers that only one run printed, `+` before those of the device."""
    saved: tuple[Saved, ...]
    status: int = 0
    """The exit status of the run on the CPU."""
    error: str = ""
    """The last line of what it wrote to standard error, where it failed."""


class Rehearsal(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of it."""

    command: tuple[str, ...]
    torch: str
    outcome: Outcome
    bill: Bill
    transfers: tuple[Traffic, ...]
    waits: tuple[Wait, ...]
    operators: tuple[OperatorUse, ...]
    dtypes: tuple[DtypeUse, ...]
    memory: Memory
    processes: tuple[Process, ...]
    faults: tuple[Fault, ...]
    notes: tuple[Remark, ...] = ()
    comparison: Comparison | None = None
    """None where none was asked for."""
    regions: tuple[Region, ...] = ()
    """Those with most compilations first."""
    collectives: tuple[Exchange, ...] = ()
