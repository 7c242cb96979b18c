"""Releases of the Neuron SDK, and what each makes of a rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.finding import Confidence, Risk, Target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule


class Claim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What one of several sources says that cannot all be right."""

    who: str
    """Whose document it is, as a sentence begins with it: ``AWS``, ``Diffusers``."""
    says: str
    """Completes "AWS says …", without a full stop."""
    source: str
    target: Target | None = None
    """The only target it concerns."""


class Package(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which versions of a package a release goes with."""

    name: str
    """Normalised as the package index does; ``python`` is one."""
    versions: str
    """A specifier as PEP 440 writes them."""
    sources: tuple[str, ...]


class Platform(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An operating system or a family of EC2 instances, and what a release makes of it."""

    name: str
    """``Ubuntu 24.04`` as NAME and VERSION_ID of /etc/os-release; ``trn2`` for trn2.48xlarge."""
    supported: bool = True
    """False when it is known not to be, and when the sources do not agree that it is."""
    note: str = ""
    sources: tuple[str, ...]
    disputed: tuple[Claim, ...] = ()
    """Sources that contradict each other."""


class Release(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A release of the Neuron SDK, as far as it matters to PyTorch code."""

    sdk: str
    """Major and minor number: ``2.33`` stands for ``2.33.1`` too."""
    date: str
    """The day of its first release, as ISO 8601."""
    stage: str
    """What TorchNeuron was in it: ``private beta``, ``public beta``."""
    sources: tuple[str, ...]
    packages: tuple[Package, ...] = ()
    """What is not named is not known to be supported or not."""
    systems: tuple[Platform, ...] = ()
    """Operating systems, all that are supported among them."""
    instances: tuple[Platform, ...] = ()
    """Families of EC2 instances, all that are supported among them."""

    def versions(self, package: str) -> str:
        """The versions of a package it goes with; empty where that is not known."""
        return next((each.versions for each in self.packages if each.name == package), "")


class Version(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is different about a rule in some releases; what is not given stays as it is."""

    since: str = ""
    """The first release it is true of; empty for all earlier ones."""
    until: str = ""
    """The first release it is no longer true of; empty for all later ones."""
    holds: bool = True
    """False when the rule has nothing to say there."""
    summary: str | None = None
    why: str | None = None
    risk: Risk | None = None
    confidence: Confidence | None = None
    sources: tuple[str, ...] = ()
    """Added to those of the rule."""

    def covers(self, sdk: str) -> bool:
        """Whether it is true of a release."""
        this = number(sdk)
        return (not self.since or number(self.since) <= this) and (
            not self.until or this < number(self.until)
        )


def at(rules: Iterable[Rule], sdk: str) -> list[Rule]:
    """The rules as they hold in a release; those that do not hold there are left out."""
    held = (_at(rule, sdk) for rule in rules)
    return [rule for rule in held if rule is not None]


def number(version: str) -> tuple[int, ...]:
    """A version for comparison: 2.9 comes before 2.33."""
    return tuple(int(part) for part in re.findall(r"\d+", version))


def release(version: str) -> str:
    """The release that a version such as ``2.33.1`` belongs to."""
    return ".".join(version.split(".")[:2])


def _at(rule: Rule, sdk: str) -> Rule | None:
    for version in rule.versions:
        if not version.covers(sdk):
            continue
        if not version.holds:
            return None
        changes = {
            "summary": version.summary,
            "why": version.why,
            "risk": version.risk,
            "confidence": version.confidence,
            "sources": (*rule.sources, *version.sources),
        }
        given = {name: value for name, value in changes.items() if value is not None}
        return msgspec.structs.replace(rule, **given)
    return rule
