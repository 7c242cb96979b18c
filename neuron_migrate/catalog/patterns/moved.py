"""Names whose place those of another package take, with their arguments."""

from __future__ import annotations

import msgspec

from neuron_migrate.catalog.patterns.base import Pattern
from neuron_migrate.finding import Safety


class MovedName(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name of a package that is gone, and the one that takes its place."""

    name: str
    """The old name, without the module it comes from."""
    to: str
    """Dotted path of the new one."""
    homes: tuple[str, ...] = ()
    """The modules it came from, where they are not those of the rule."""
    safety: Safety = "safe"
    note: str = ""
    """What is not the same; with ``safety`` "unsafe" the reason for it."""


class MovedArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Arguments that have another name, or no place, in the calls of the new name."""

    names: tuple[str, ...]
    position: int | None = None
    """0-based position at which it may also stand."""
    of: tuple[str, ...] = ()
    """The old names whose calls it concerns; empty means all of the rule."""
    values: tuple[str, ...] = ()
    """Python literals (as source) it concerns; empty means any value."""
    to: str | None = None
    """The new keyword; without one the argument goes."""
    unless: tuple[str, ...] = ()
    """Arguments beside which it goes instead."""
    becomes: dict[str, str] = msgspec.field(default_factory=dict)
    """The new value by the literal that was given; with any other value the argument goes."""
    stops: bool = False
    """True when the call cannot be rewritten with it."""
    to_calls: bool = False
    """The calls of what is made take it now; unsafe where not all of them are seen."""
    safety: Safety = "safe"
    note: str = ""
    """Completes a sentence that begins with the argument and its value."""


class AddedArgument(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An argument that the calls of the new name need."""

    name: str
    neuron: str
    accelerator: str
    unless: tuple[str, ...] = ()
    """Arguments beside which it is not needed."""


class MovedMatch(Pattern, frozen=True, kw_only=True, tag="moved"):
    """Names of a package that is gone, whose place those of another package take."""

    homes: tuple[str, ...]
    """The modules that the names came from."""
    names: tuple[MovedName, ...]
    group: str = ""
    """The names of all rules of a group move together in a file, or none of them does."""
    called: bool = False
    """True when what is said about arguments holds for calls of the name itself."""
    methods: tuple[str, ...] = ()
    """Its methods that take these arguments, such as ``from_pretrained``."""
    constructs: bool = False
    """A call of such a method becomes a call of the new name."""
    alike: bool = False
    """Its other attributes are those of the new name."""
    attributes: dict[str, str] = msgspec.field(default_factory=dict)
    """What to say about those that are not."""
    members: dict[str, str] = msgspec.field(default_factory=dict)
    """Attributes of its objects that the new ones do not have, and what to do about them."""
    positional: int = 1
    """How many arguments stand at the same positions."""
    arguments: tuple[MovedArgument, ...] = ()
    """The first that fits an argument and its value decides."""
    adds: tuple[AddedArgument, ...] = ()
    needs: tuple[str, ...] = ()
    """Arguments without which what is loaded may be compiled: the fix is unsafe then."""
    loads: str | None = None
    """The argument that says what is loaded, where it may be an object (``name:position``)."""
    neuron: str | None = None
    accelerator: str | None = None
    """Templates for what is made of the new call, which is ``{self}``."""
    handed: str = ""
    """Why it is unsafe to hand the new name on to a use that is not seen."""
    same: bool = False
    """True when only the name is another one, so that every use stays what it is."""
