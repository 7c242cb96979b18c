"""What a newer version of a library no longer has."""

from __future__ import annotations

import msgspec

from neuron_migrate.catalog.patterns.base import Pattern


class RemovedMatch(Pattern, frozen=True, kw_only=True, tag="removed-name"):
    """Names that a library no longer has: an import of one fails."""

    names: dict[str, str] = msgspec.field(default_factory=dict)
    """Dotted path of each, with ``*`` wildcards, and what to do; empty stands for ``instead``."""
    instead: str
    """What to do about a name that says nothing of its own."""


class LostAttribute(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An attribute that objects no longer have."""

    name: str
    to: str | None = None
    """What it is called now; without a new name the read is reported."""
    note: str = ""


class LostOwner(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Objects of one kind, and what they lost."""

    names: str
    """A regular expression for the name of such an object."""
    beside: tuple[str, ...]
    """Dotted paths of classes one of which the file must import, as it then has such objects."""
    inherits: tuple[str, ...] = ()
    """Dotted paths of classes: ``self`` is such an object in the classes that inherit from one."""
    attributes: tuple[LostAttribute, ...]


class LostMatch(Pattern, frozen=True, kw_only=True, tag="lost-attribute"):
    """Reads of attributes that the objects of a library no longer have.

    Nothing is said where the file gives something an attribute of this name itself.
    """

    owners: tuple[LostOwner, ...]


class Overridden(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A method that its class calls with an argument more than it once did."""

    method: str
    parameter: str
    position: int | None = None
    """Where it is given, ``self`` standing at 0; without one it is given by keyword."""


class OverrideMatch(Pattern, frozen=True, kw_only=True, tag="override"):
    """Methods of subclasses that cannot take what the base class calls them with."""

    classes: tuple[str, ...]
    """Dotted paths of the base classes, with ``*`` wildcards."""
    methods: tuple[Overridden, ...]
