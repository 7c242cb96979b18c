"""Facts about a machine that are about no code: what ``doctor`` knows beside rules and releases."""

from __future__ import annotations

import sys
from fnmatch import fnmatchcase

import msgspec

from neuron_migrate.catalog import loader

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class VariableAdvice(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Environment variables that deserve a word; nothing of it keeps a program from running."""

    names: tuple[str, ...]
    """With ``*`` wildcards."""
    values: tuple[str, ...] = ()
    """The values that deserve it, with ``*`` wildcards."""
    unless: tuple[str, ...] = ()
    """The values that do not, in lower case: any other one, and none at all, does."""
    beside: str = ""
    """Only where this package is installed."""
    means: str
    fix: str
    sources: tuple[str, ...]

    def speaks_of(self, name: str) -> bool:
        """Whether a variable is one of them."""
        return any(fnmatchcase(name, each) for each in self.names)


class KnownVariables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Environment variables of Neuron that a document names."""

    names: tuple[str, ...]
    """With ``*`` wildcards."""
    source: str


class Undated(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A package that goes with TorchNeuron in releases that no source tells."""

    name: str
    means: str
    sources: tuple[str, ...]


class Placeholder(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A release on the public index that has nothing but the name of a package."""

    name: str
    version: str


class Index(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An index of packages that pip has to be told."""

    address: str
    packages: tuple[str, ...]


class Sources(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where it is written what is said about a machine."""

    architecture: str
    devices: str
    tools: str
    torch: str
    family: str
    placeholder: str
    cuda_build: str
    metadata: str


class MachineFacts(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The whole of it."""

    harmful: tuple[str, ...]
    """Codes of rules about packages that do harm by being installed, not only where used."""
    variables: tuple[VariableAdvice, ...]
    known: tuple[KnownVariables, ...]
    undated: tuple[Undated, ...]
    placeholder: Placeholder
    index: Index
    sources: Sources


def load() -> MachineFacts:
    """The facts that come with the rules."""
    text = (loader.folder() / "doctor.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), MachineFacts)
