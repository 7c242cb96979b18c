"""What the catalog says about each installed distribution."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from neuron_migrate.catalog.text_patterns import RequirementMatch
from neuron_migrate.doctor.checks.advice import install
from neuron_migrate.doctor.verdict import Check, Verdict
from neuron_migrate.engine.texts.document import Document
from neuron_migrate.engine.texts.facts import Reading, Requirement, Span
from neuron_migrate.engine.texts.matchers.requirements import Requirements
from neuron_migrate.engine.texts.versions import series
from neuron_migrate.files.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.machine import MachineFacts
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.catalog.text_patterns import PackageChange
    from neuron_migrate.catalog.versions import Package, Release
    from neuron_migrate.doctor.packages import Environment

_check = partial(Check, section="packages")
_SHOWN = 4


class _Spoken(NamedTuple):
    """What a rule says about a distribution that the SDK is not tied to."""

    name: str
    version: str
    way: str


class Installed:
    """The distributions of an environment; one that is installed asks for its own version."""

    def __init__(
        self, environment: Environment, catalog: Catalog, release: Release, facts: MachineFacts
    ) -> None:
        self.environment = environment
        self.versions: dict[str, str] = {
            canonicalize_name(each.name): each.version for each in environment.distributions
        }
        self.release = release
        self.facts = facts
        self.rules = [rule for rule in catalog.rules if isinstance(rule.match, RequirementMatch)]
        self.matcher = Requirements(self.rules, release)

    def python(self) -> Iterator[Check]:
        """The interpreter."""
        seen = f"Python {self.environment.version}"
        if self.environment.implementation != "cpython":
            seen = f"{seen} ({self.environment.implementation})"
        check = self._check("python", self.environment.version, seen)
        if check is not None and self.environment.isolated and check.verdict is Verdict.PROBLEM:
            return
        if check is not None:
            yield check

    def checks(self) -> Iterator[Check]:
        """Every distribution that matters: those the SDK goes with, then the others by rule."""
        others: dict[str, list[_Spoken]] = {}
        for name, version in self.versions.items():
            check = self._check(name, version, f"{name} {version}")
            if check is not None:
                yield check
                continue
            for rule, change in self._about(name, version):
                way = self.matcher.instead(_requirement(name, version), change)
                others.setdefault(rule.code, []).append(_Spoken(name, version, way))
        for rule in self.rules:
            if rule.code in others:
                harmful = rule.code in self.facts.harmful
                yield _grouped(rule, others[rule.code], harmful=harmful)

    def _check(self, name: str, version: str, seen: str) -> Check | None:
        """A distribution that the SDK goes with in certain versions."""
        says = partial(_check, name=name, seen=seen)
        if (name, version) == (self.facts.placeholder.name, self.facts.placeholder.version):
            return self._placeholder(name, says)
        for undated in self.facts.undated:
            if undated.name == name:
                return says(verdict=Verdict.UNKNOWN, means=undated.means, sources=undated.sources)
        for package in self.release.packages:
            if package.name == name:
                return self._supported(package, version, partial(says, sources=package.sources))
        return None

    def _placeholder(self, name: str, says: partial[Check]) -> Check:
        return says(
            verdict=Verdict.PROBLEM,
            means="This is what PyPI has under the name: a placeholder, without the device.",
            fix=f"pip uninstall {name}; {self.install(name)}".rstrip("; "),
            sources=(self.facts.sources.placeholder, self.facts.sources.torch),
        )

    def _supported(self, package: Package, version: str, says: partial[Check]) -> Check:
        if not _is_version(version):
            return says(verdict=Verdict.UNKNOWN, means="The version cannot be compared.")
        shown = package.name.replace("python", "Python")
        goes = f"Neuron SDK {self.release.sdk} goes with {shown} {package.versions}."
        for rule, change in self._about(package.name, version):
            if change.unsupported:
                means = f"{goes} {_joined(rule.why)}"
                fix = self.install(package.name)
                says = partial(says, means=means, fix=fix, disputed=rule.disputed)
                return says(verdict=Verdict.PROBLEM)
        return says(verdict=Verdict.OK, means=goes)

    def install(self, name: str) -> str:
        """How to get a version that goes."""
        if name == "python":
            minors = ", ".join(series(self.release.versions("python")))
            return f"Make an environment with one of Python {minors}."
        return install(name, self.release, self.facts, torch=self.versions.get("torch", ""))

    def _about(self, name: str, version: str) -> list[tuple[Rule, PackageChange]]:
        fact = _requirement(name, version)
        document = Document("", Kind.REQUIREMENTS, "", Reading([fact]), "neuron")
        return self.matcher.about(fact, document)


def _requirement(name: str, version: str) -> Requirement:
    """What an installed distribution comes to; its build is looked at on its own."""
    public = Version(version).public if _is_version(version) else version
    return Requirement(name, f"{name} {version}", Span(0, 0), specifier=f"=={public}")


def _is_version(text: str) -> bool:
    try:
        Version(text)
    except InvalidVersion:
        return False
    return True


def _grouped(rule: Rule, spoken: list[_Spoken], *, harmful: bool) -> Check:
    """One line for all that one rule speaks about."""
    more = f" and {len(spoken) - _SHOWN} more" if len(spoken) > _SHOWN else ""
    used = "" if harmful else "It does no harm by being installed. "
    fix = " ".join(dict.fromkeys(_capital(each.way) for each in spoken))
    if harmful:
        fix = f"pip uninstall {' '.join(each.name for each in spoken)}"
    return _check(
        name=rule.code,
        seen=f"{', '.join(f'{each.name} {each.version}' for each in spoken[:_SHOWN])}{more}",
        verdict=Verdict.PROBLEM if harmful else Verdict.NOTE,
        means=f"{used}{_joined(rule.why)}",
        fix=fix,
        sources=rule.sources,
        disputed=rule.disputed,
    )


def _joined(text: str) -> str:
    return " ".join(text.split())


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
