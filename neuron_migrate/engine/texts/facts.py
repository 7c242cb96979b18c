"""What readers find in a text: each fact knows its place, and how it may be edited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets into the decoded text; the end is exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command line."""

    text: str | None
    """What it stands for, quotes taken off; None when a variable or a command decides it."""
    span: Span
    """With its quotes."""
    shared: bool = False
    """It stands in a variable of the script that others may read too."""
    removal: Span | None = None
    """What goes when the word does, where it stands in a list."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that is set: in a shell, a container, a workflow."""

    name: str
    value: str | None
    """None when it shows at run time."""
    span: Span
    """The whole assignment."""
    name_span: Span
    value_span: Span | None = None
    removal: Span | None = None
    """What goes when the assignment does; None where it cannot be taken out."""


@dataclass(frozen=True, slots=True)
class VariableUse:
    """A place that asks for a variable, hands it on or takes it away."""

    name: str
    span: Span
    """The name alone."""
    unset: bool = False


@dataclass(frozen=True, slots=True)
class Command:
    """A program that a text starts, with what it is given.

    One that starts another, such as ``sudo`` or ``torchrun``, ends where that begins, which is a
    command of its own.
    """

    words: tuple[Word, ...]
    """The program first."""
    span: Span
    removal: Span | None = None
    """What goes when the whole command does; None where others rest on it."""
    script: bool = False
    """A Python script or module."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that a project asks for; ``python`` is one."""

    name: str
    """Normalised as the package index does: ``flash-attn``."""
    text: str
    """As it is written."""
    span: Span
    """The requirement with its extras, version and marker, without quotes."""
    name_span: Span | None = None
    """The name, where it can be replaced."""
    specifier: str = ""
    """The versions it allows, as PEP 440 writes them; empty for any, and for what is not known."""
    specifier_span: Span | None = None
    """Where versions stand or may stand as PEP 440 writes them."""
    build: str = ""
    """The build it is pinned to: ``cu121`` of ``2.4.0+cu121``."""
    extras: tuple[str, ...] = ()
    marker: str = ""
    url: str = ""
    removal: Span | None = None
    """What goes when the requirement does; None where it cannot be taken out."""
    among: Span | None = None
    """What needs one requirement at least, such as a command."""
    optional: bool = False
    """Installed on request only: an extra, a group for development."""
    frozen: str = ""
    """Why it cannot be edited on its own; empty where it can."""


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """A place that packages are taken from."""

    url: str
    """An address, or the name of a conda channel."""
    span: Span
    """The address."""
    serves: tuple[str, ...] = ()
    """Packages that can come from nowhere else, as far as a command shows."""
    frozen: str = ""
    """Why it cannot be edited on its own; empty where it can."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An entry of a configuration file."""

    document: str
    """What kind of configuration it is: ``accelerate``, ``deepspeed``, ``compose``, ``other``."""
    path: tuple[str, ...]
    """The keys that lead to it in that configuration; ``*`` stands for an entry of a list. The
    configuration as such has none."""
    value: str | None
    """What it says; None for a list or a mapping with entries."""
    span: Span
    """The value without quotes; the key of a list or a mapping."""
    key_span: Span | None
    """The last key without quotes."""
    among: Span
    """The mapping it stands in."""
    removal: Span | None = None
    """What goes when the entry does; None where it cannot be taken out."""
    frozen: str = ""
    """Why the value cannot be edited; empty where it can."""
    shared: bool = False
    """It has an anchor, by which it is the value of other keys too, each a setting of its own."""


@dataclass(frozen=True, slots=True)
class Image:
    """A container image that another one, a service or a job is built on."""

    name: str
    """Without tag and digest."""
    tag: str
    span: Span


Fact: TypeAlias = "Variable | VariableUse | Command | Requirement | PackageIndex | Setting | Image"


@dataclass(slots=True)
class Reading:
    """What a reader found in a text."""

    facts: list[Fact] = field(default_factory=list)
    comments: list[Span] = field(default_factory=list)
    """Where comments stand: what suppresses findings is looked for in them."""
    problems: list[tuple[int, str]] = field(default_factory=list)
    """Offsets of parts that could not be read, and why; the rest was."""


class ReadError(Exception):
    """A text that is not what its name says: ``reason``, at an offset of the text."""

    def __init__(self, reason: str, offset: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
