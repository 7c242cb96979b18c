"""What a rule can match in what is not Python, in the words a rule file uses."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.finding import Risk, Safety, Target


class _TextPattern(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    pass


class RequirementMatch(_TextPattern, frozen=True, kw_only=True, tag="requirement"):
    """Packages that a project asks for: requirements files, pyproject.toml, conda, pip install."""

    packages: tuple[str, ...]
    """Normalised names, with ``*`` wildcards."""
    extras: tuple[str, ...] = ()
    """Only with one of these extras; empty means with any or none."""
    outside: str = ""
    """Only where no version that this specifier holds is allowed: ``>=2.13,<2.15``."""
    local: str = ""
    """Only pins to a local version that begins so: ``cu`` for ``2.4.0+cu121``."""
    instead: str
    """The way out, for the message."""
    drop: bool = False
    """The requirement goes."""
    to: str | None = None
    """The requirement that takes its place; its marker stays."""
    target: Target | None = None
    """The only target of ``drop`` and ``to``."""
    safety: Safety = "safe"


class PackageIndexMatch(_TextPattern, frozen=True, kw_only=True, tag="package-index"):
    """Package indexes that hold builds for another device."""

    addresses: tuple[str, ...]
    """Patterns with ``*`` wildcards."""
    instead: str
    to: str | None = None
    safety: Safety = "safe"


class OptionChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What happens to one option of a command line."""

    name: str
    """With its dashes; ``-`` and ``_`` in it are the same."""
    flag: bool = False
    """It takes no value."""
    values: tuple[str, ...] = ()
    """The only values it applies to; empty means any."""
    action: Literal["drop", "set", "rename", "report"]
    to: str | None = None
    """The new value (set) or the new name (rename)."""
    target: Target | None = None
    safety: Safety = "safe"
    risk: Risk | None = None
    note: str = ""


class LauncherMatch(_TextPattern, frozen=True, kw_only=True, tag="launcher"):
    """Command lines that start a program: in scripts, containers, workflows, notebooks."""

    programs: tuple[str, ...]
    """The first words: ``accelerate launch``, ``python -m torch.distributed.launch``."""
    options: tuple[OptionChange, ...] = ()
    """Without options every such command is reported."""
    to: str | None = None
    """The words that take the place of the first ones; an empty text takes them away."""
    instead: str = ""
    safety: Safety = "safe"


class ImageMatch(_TextPattern, frozen=True, kw_only=True, tag="image"):
    """Container images."""

    images: tuple[str, ...]
    """Names with ``*`` wildcards, without tag: ``nvidia/cuda``."""
    tags: tuple[str, ...] = ()
    """The only tags it concerns, with ``*`` wildcards; empty means any."""
    instead: str


class ConfigEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a configuration file, and what becomes of it."""

    path: str
    """Keys with dots between; ``*`` is one key or list entry, ``**`` any number of them."""
    values: tuple[str, ...] = ()
    """The only values, as the file may write them: ``cuda``, ``MULTI_GPU``, ``true``; with ``*``
    wildcards; empty means any."""
    action: Literal["set", "drop", "report"]
    to: str | None = None
    """The new value."""
    accelerator: str | None = None
    """``to`` for the accelerator target; without it the entry is left there, and reported."""
    rename: str | None = None
    """The new key."""
    safety: Safety = "safe"
    risk: Risk | None = None
    note: str = ""


class ConfigMatch(_TextPattern, frozen=True, kw_only=True, tag="config"):
    """Entries of configuration files in YAML, JSON or TOML."""

    documents: tuple[str, ...]
    """What kinds of configuration: ``accelerate``, ``deepspeed``, ``compose``, ``kubernetes``,
    ``workflow``, ``lightning``, ``yaml`` for any other."""
    entries: tuple[ConfigEntry, ...]


TEXT_ONLY = (RequirementMatch, PackageIndexMatch, LauncherMatch, ImageMatch, ConfigMatch)
"""The kinds that match nothing in Python."""

TextMatch = RequirementMatch | PackageIndexMatch | LauncherMatch | ImageMatch | ConfigMatch
