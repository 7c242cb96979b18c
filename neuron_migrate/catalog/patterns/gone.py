"""What packages that are gone held, and what stands in its place."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.catalog.patterns.base import Pattern
from neuron_migrate.finding import Safety


class GoneForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One way in which a name of such a package is used, and what stands in its place.

    A form that gives a reason and nothing to write ends the search: the use is reported.
    """

    given: tuple[str, ...] = ()
    """Conditions on the arguments, by the names of the parameters, all of which must hold."""
    processes: Literal["any", "one", "group", "torchrun"] = "any"
    """``one``: only in a program of one process; ``group``: only where a process group is set up
    before; ``torchrun``: only in a program that sets one up, before or after."""
    place: Literal["any", "statement", "update"] = "any"
    """``statement``: only a call that is a statement of its own; ``update``: only one whose value
    goes to the variable that is given for ``in_place``."""
    in_place: str | None = None
    """The parameter that an update is of; the assignment goes with it."""
    neuron: str | None = None
    accelerator: str | None = None
    """Templates for the reference, or for the call where they hold parentheses."""
    drop: bool = False
    """A statement that is only a call of it is removed."""
    unwrap: bool = False
    """A ``with`` statement of it alone gives way to its body."""
    under: str | None = None
    """A test: what takes the place of a statement stands under it."""
    lone: str | None = None
    """A parameter that is given a list display of one element: the element is what is meant."""
    spread: str | None = None
    """A parameter that is given a tuple display: its elements become arguments of ``{args}``."""
    values: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    """What becomes of an argument, by its value; with another value there is no place for it."""
    supplies: dict[str, str] = msgspec.field(default_factory=dict)
    """Keywords that ``{args}`` gets where the call does not give them, with their values."""
    safety: Safety = "safe"
    reason: str | None = None
    """Why there is no rewrite, or why it is unsafe."""
    unless_beside: tuple[str, ...] = ()
    """Words in the file that make the rewrite wrong: the use is reported."""
    only_beside: tuple[str, ...] = ()
    """Words one of which the file must hold for the rewrite to be right."""


class GoneName(GoneForm, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A name of a package that is gone, and what stands in its place.

    Templates take arguments by parameter (``{device}``) and all that are left as ``{args}``.
    """

    name: str
    parameters: tuple[str, ...] = ()
    """The parameters, in order; those after ``*`` are given by keyword."""
    ignored: tuple[str, ...] = ()
    """Conditions on arguments (``wait``, ``scale=1.0``) that mean nothing on Neuron and go."""
    renamed: dict[str, str] = msgspec.field(default_factory=dict)
    """What parameters are called by what takes the place."""
    forms: tuple[GoneForm, ...] = ()
    """Ways to be used that are looked at first."""
    note: str = ""


class GoneMatch(Pattern, frozen=True, kw_only=True, tag="gone"):
    """Imports of packages that the native stack does not have, and the uses of what they hold."""

    packages: tuple[str, ...] = ()
    instead: str = ""
    """The way out, for the message at the import."""
    registers: bool = False
    """True when an import does its work by itself, so that it stays although nothing uses it."""
    names: tuple[GoneName, ...] = ()
