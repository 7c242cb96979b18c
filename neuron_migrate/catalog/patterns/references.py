"""References to names, and what a program makes of the names of others."""

from __future__ import annotations

import msgspec

from neuron_migrate.catalog.patterns.base import Hold, Pattern
from neuron_migrate.finding import Confidence, Risk, Safety, Target


class NameEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One public name and what it becomes.

    A replacement without parentheses replaces the reference; one with ``{args}`` or parentheses
    replaces a whole call. Without a replacement for a target the name is reported.
    """

    name: str
    neuron: str | None = None
    accelerator: str | None = None
    safety: Safety = "safe"
    needs_accelerator: bool = False
    """The accelerator form raises where there is no accelerator: unsafe outside a guard."""
    risk: Risk | None = None
    confidence: Confidence | None = None
    note: str = ""
    """What to know or do about this name; added to the message."""
    moved: str | None = None
    """Where an import that must stay (``__all__``, annotations) gets the name from instead."""
    module: bool = False
    """True when it is a module whose uses decide: it is renamed only if all of them move alike."""
    test: bool = False
    """True when it asks whether the device is there, so that a condition may rest on it."""
    accelerator_safety: Safety | None = None
    """``safety`` for the accelerator target, where it differs."""
    uncalled: str | None = None
    """What stands for the name where it is not called: annotations, ``isinstance``, ``except``."""
    takes: tuple[str, ...] | None = None
    """The keywords that the replacement takes; a call with another one is reported."""
    positional: bool = False
    """The replacement takes its one argument by position only."""
    index: bool = False
    """The replacement takes the number of a device, nothing else."""
    lacks: tuple[str, ...] = ()
    """Attributes the result of the replacement does not have; a call read for one is reported."""
    repeats: bool = False
    """A statement that only repeats a call of the replacement beside it is removed."""
    dropped: Target | None = None
    """The target for which a statement that only calls it is removed."""
    parameters: tuple[str, ...] = ()
    """What the name calls its parameters, in order: for the replacement they become keywords."""
    supplies: dict[str, str] = {}
    """Keywords that the replacement gets where the call does not give them, with their values."""
    discards: bool = False
    """The arguments of the call mean nothing to the replacement and go."""
    decorates: bool = False
    """As a bare decorator it becomes a call of the replacement."""
    accelerator_value: str | None = None
    """``accelerator`` where the program may run on a CPU: it must not raise there."""
    holds: tuple[Hold, ...] = ()


class NamesMatch(Pattern, frozen=True, kw_only=True, tag="names"):
    """References to public names, through every alias and import form."""

    names: tuple[NameEntry, ...]
    modules: tuple[str, ...] = ()
    """Modules all of whose other names are reported too."""
    prefixes: tuple[str, ...] = ()
    """Beginnings of names that are reported too, such as ``torch._C._cuda``."""
    elsewhere: tuple[str, ...] = ()
    """Names in ``modules`` that a rule of another kind speaks about."""
    cuda_only: bool = False
    """True when an availability guard around a use must stay a CUDA guard."""


class MethodMatch(Pattern, frozen=True, kw_only=True, tag="cuda-method"):
    """``x.cuda(...)`` on tensors and modules."""

    method: str
    neuron: str
    accelerator: str
    indexed_neuron: str
    """For a device that is not a literal: a template with ``{self}`` and ``{args}``."""
    indexed_accelerator: str
    indexed_accelerator_safety: Safety = "unsafe"


class PropertyMatch(Pattern, frozen=True, kw_only=True, tag="property"):
    """An attribute of a tensor, such as ``x.is_cuda``."""

    attribute: str
    neuron: str
    accelerator: str


class LadderMatch(Pattern, frozen=True, kw_only=True, tag="ladder"):
    """If/elif chains that name several vendors beside cuda."""

    vendors: tuple[str, ...]
    needed: int = 2
    """How many other vendors make a ladder."""


class PatchMatch(Pattern, frozen=True, kw_only=True, tag="patch"):
    """A program that replaces a module's functions by its own: assignments and ``mock.patch``."""

    module: str


class MemberMatch(Pattern, frozen=True, kw_only=True, tag="member"):
    """Classes that define a member under a name that tensors have."""

    members: tuple[str, ...]


class SliceMatch(Pattern, frozen=True, kw_only=True, tag="slice"):
    """Slices that rest on the length of a value: ``device[5:]``."""

    words: tuple[str, ...]
    starts: tuple[int, ...]
