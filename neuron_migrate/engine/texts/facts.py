"""What readers find in a text: each fact knows its place, and how it may be edited."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

Value: TypeAlias = "str | int | float | bool | None"


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
class Command:
    """A program that a text starts, with what it is given."""

    words: tuple[Word, ...]
    """The program first."""
    span: Span
    removal: Span | None = None
    """What goes when the whole command does; None where others rest on it."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package that a project asks for."""

    name: str
    """Normalised as the package index does: ``flash-attn``."""
    text: str
    """As it is written."""
    span: Span
    """The requirement with its extras, version and marker, without quotes."""
    specifier: str = ""
    extras: tuple[str, ...] = ()
    marker: str = ""
    url: str = ""
    removal: Span | None = None
    """What goes when the requirement does; None where it cannot be taken out."""
    hashed: bool = False
    """Pinned by hashes, so that another version needs other ones."""


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """A place that packages are taken from."""

    url: str
    span: Span
    """The address."""
    removal: Span | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """An entry of a configuration file."""

    document: str
    """What kind of configuration it is: ``accelerate``, ``deepspeed``, ``compose``, ``yaml``."""
    path: tuple[str, ...]
    """The keys that lead to it; ``*`` stands for an entry of a list."""
    value: Value
    span: Span
    """The value as it is written, with its quotes."""
    key_span: Span
    removal: Span | None = None
    plain: bool = True
    """False where only a literal in the notation of the file can replace it."""


@dataclass(frozen=True, slots=True)
class Image:
    """A container image that another one, a service or a job is built on."""

    name: str
    """Without tag and digest."""
    tag: str
    span: Span


Fact: TypeAlias = "Variable | Command | Requirement | PackageIndex | Setting | Image"


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
