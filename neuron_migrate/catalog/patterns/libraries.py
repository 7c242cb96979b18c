"""Imports of packages that have no Neuron build."""

from __future__ import annotations

import msgspec

from neuron_migrate.catalog.patterns.base import Pattern
from neuron_migrate.finding import Confidence, Risk


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A package that has no Neuron build, and what a program does instead."""

    package: str
    """What is imported: a top-level package, or a module of one such as ``numba.cuda``."""
    also: tuple[str, ...] = ()
    """Other names that the same library, or an extension module of it, is imported by."""
    submodules: tuple[str, ...] = ()
    """All that the package holds, where projects use the same name for a folder of their own."""
    instead: str | None = None
    """The way out, if it is not that of the rule."""
    risk: Risk | None = None
    confidence: Confidence | None = None


class ImportMatch(Pattern, frozen=True, kw_only=True, tag="import"):
    """Imports of libraries, also by a function, knowing whether a fallback stands beside them."""

    libraries: tuple[Library, ...]
    instead: str = ""
    """The way out, for the message; a library may have one of its own."""
    cuda_only: bool = True
