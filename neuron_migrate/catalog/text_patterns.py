"""What a rule can match in what is not Python, in the words a rule file uses."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.finding import Risk, Safety, Target


class _TextPattern(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    pass


class PackageChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Packages of one kind, and what becomes of them."""

    packages: tuple[str, ...]
    """Normalised names, with ``*`` wildcards."""
    extras: tuple[str, ...] = ()
    """Only with one of these extras; empty means with any or none."""
    builds: tuple[str, ...] = ()
    """Only pins to such a build, with ``*`` wildcards: ``cu[0-9]*`` for ``2.4.0+cu121``."""
    unsupported: bool = False
    """Only where no version is allowed that the release of the SDK goes with."""
    allows: str = ""
    """Only where this version is allowed."""
    without_index: str = ""
    """Only where the file names no package index like this, with ``*`` wildcards."""
    instead: str
    """The way out, for the message; ``{versions}`` are those that are supported."""
    action: Literal["report", "drop", "rename", "pin"] = "report"
    to: str | None = None
    """The new name (rename) or the new versions (pin)."""
    beside: tuple[str, ...] = ()
    """Packages whose pins would have to change with it: where one is pinned, it is reported."""
    target: Target | None = None
    """The only target of the action; for the others it is reported."""
    safety: Safety = "safe"
    risk: Risk | None = None


class RequirementMatch(_TextPattern, frozen=True, kw_only=True, tag="requirement"):
    """Packages that a project asks for: requirements files, pyproject.toml, conda, pip install."""

    requirements: tuple[PackageChange, ...]


class PackageIndexMatch(_TextPattern, frozen=True, kw_only=True, tag="package-index"):
    """Package indexes that hold builds for another device."""

    addresses: tuple[str, ...]
    """Patterns with ``*`` wildcards; the name of a conda channel is one."""
    instead: str
    to: str | None = None
    """The address that takes its place."""
    target: Target | None = None
    """The only target of ``to``."""
    has: tuple[str, ...] = ()
    """Packages that ``to`` has too: where others can come from nowhere else, it is reported."""
    keeps_builds: tuple[str, ...] = ()
    """Builds that only this index has: where one is asked for, it is reported."""


class OptionChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What happens to one option of a command line."""

    name: str
    """With its dashes; ``-`` and ``_`` in it are the same. Without dashes it is an override such as
    ``trainer.accelerator=gpu``, by the last of its keys."""
    flag: bool = False
    """It takes no value, or a truth value."""
    values: tuple[str, ...] = ()
    """The only values it applies to, with ``*`` wildcards; empty means any."""
    action: Literal["drop", "set", "rename", "report"]
    to: str | None = None
    """The new value (set) or the new name (rename)."""
    accelerator: str | None = None
    """``to`` for the accelerator target, where it is another one."""
    target: Target | None = None
    """The only target of the change; the other one is told."""
    safety: Safety = "safe"
    risk: Risk | None = None
    note: str = ""


class LauncherMatch(_TextPattern, frozen=True, kw_only=True, tag="launcher"):
    """Command lines that start a program: in scripts, containers, workflows, notebooks."""

    programs: tuple[str, ...] = ()
    """The first words, with ``*`` wildcards: ``accelerate launch``, ``torch.distributed.run``. A
    program that another one starts, such as a script by ``torchrun``, is one of its own."""
    scripts: tuple[str, ...] = ()
    """Names of Python scripts and modules, with ``*`` wildcards."""
    beside: tuple[str, ...] = ()
    """Options, one of which the command has to have; empty means no such condition."""
    options: tuple[OptionChange, ...] = ()
    """Without options every such command is reported."""
    always: tuple[str, ...] = ()
    """Programs that are reported whatever their options."""
    to: str | None = None
    """The word that takes the place of the first one; an empty text takes the program away, so that
    what it starts is left."""
    to_beside: str = ""
    """The option without which ``to`` would change what the program does; it goes."""
    instead: str = ""
    safety: Safety = "safe"


class ImageMatch(_TextPattern, frozen=True, kw_only=True, tag="image"):
    """Container images."""

    images: tuple[str, ...]
    """Names with ``*`` wildcards, alone or with the tag: ``nvidia/cuda``, ``*/torch:*-gpu``."""
    tags: tuple[str, ...] = ()
    """The only tags it concerns, with ``*`` wildcards; empty means any."""
    instead: str


class ConfigEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a configuration file, and what becomes of it."""

    path: str
    """Keys with dots between; ``*`` is one key or list entry, ``**`` any number of them, ``?`` a
    character such as a dot. ``-`` and ``_`` are the same, as are small and capital letters. An
    empty path is the configuration as such."""
    values: tuple[str, ...] = ()
    """The only values, as the file may write them without quotes: ``cuda``, ``MULTI_GPU``,
    ``true``; with ``*`` wildcards; empty means any."""
    filled: bool = False
    """It is a list or a mapping with entries, not a value."""
    action: Literal["set", "drop", "report"] = "report"
    to: str | None = None
    """The new value; a ``*`` in it is what the wildcard of the old value stands for."""
    accelerator: str | None = None
    """``to`` for the accelerator target, where it is another one."""
    key: str | None = None
    """The new key; where it stands beside the old one as ``false``, their values change places."""
    target: Target | None = None
    """The only target of the change; the other one is told."""
    concerns: Target | None = None
    """The only target that is told."""
    safety: Safety = "safe"
    risk: Risk | None = None
    note: str = ""


class ConfigMatch(_TextPattern, frozen=True, kw_only=True, tag="config"):
    """Entries of configuration files in YAML or JSON."""

    documents: tuple[str, ...]
    """What kinds of configuration: ``accelerate``, ``axolotl``, ``boosting`` (of decision trees),
    ``compose``, ``deepspeed``, ``kubernetes``, ``lightning``, ``task`` (of SkyPilot or dstack),
    ``trainer`` (arguments of the Trainer of Transformers), ``workflow``, ``other`` for what is none
    of them, ``*`` for all."""
    entries: tuple[ConfigEntry, ...]


TEXT_ONLY = (RequirementMatch, PackageIndexMatch, LauncherMatch, ImageMatch, ConfigMatch)
"""The kinds that match nothing in Python."""

FactMatch = RequirementMatch | PackageIndexMatch | LauncherMatch | ImageMatch | ConfigMatch
