"""Packages that a project asks for and that have no place beside TorchNeuron."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.catalog.text_patterns import RequirementMatch
from neuron_migrate.engine.texts import versions
from neuron_migrate.engine.texts.facts import PackageIndex, Requirement
from neuron_migrate.engine.texts.markers import may_hold
from neuron_migrate.finding import Edit, Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.catalog.text_patterns import PackageChange
    from neuron_migrate.catalog.versions import Release
    from neuron_migrate.engine.texts.document import Document
    from neuron_migrate.engine.texts.facts import Span
    from neuron_migrate.finding import Safety

    Spoken = tuple[Requirement, Rule, PackageChange]


class Requirements:
    """Matches rules of kind ``requirement``; the first that fits a requirement speaks about it."""

    def __init__(self, rules: Iterable[Rule], release: Release | None) -> None:
        self.changes = [
            (rule, change)
            for rule in rules
            if isinstance(rule.match, RequirementMatch)
            for change in rule.match.requirements
        ]
        self.release = release

    def match(self, document: Document) -> None:
        """Report every requirement that a rule knows."""
        python = self._versions("python")
        facts = [each for each in document.of(Requirement) if may_hold(each.marker, python)]
        spoken = [
            (fact, rule, change) for fact in facts for rule, change in self.about(fact, document)
        ]
        for fact, rule, change in spoken:
            edits, reason = _edits(fact, change, facts, document)
            if edits and change.action == "drop" and _empties(fact.among, facts, spoken):
                edits, reason = [], "no other package would be left there"
            text = f"`{fact.text}`: {self.instead(fact, change)}"
            _report(fact, rule, change, text, edits, reason, document)

    def about(self, fact: Requirement, document: Document) -> list[tuple[Rule, PackageChange]]:
        """The rule that speaks about a requirement, with what it says; none or one."""
        fitting = (each for each in self.changes if self._fits(each[1], fact, document))
        return [each for each in [next(fitting, None)] if each is not None]

    def _fits(self, change: PackageChange, fact: Requirement, document: Document) -> bool:
        if not any(fnmatchcase(fact.name, name) for name in change.packages):
            return False
        if change.extras and set(change.extras).isdisjoint(fact.extras):
            return False
        if change.builds and not any(fnmatchcase(fact.build, each) for each in change.builds):
            return False
        if change.unsupported and (
            fact.url or versions.meet(fact.specifier, self._versions(fact.name))
        ):
            return False
        if change.allows and (fact.url or not versions.allows(fact.specifier, change.allows)):
            return False
        return not (change.without_index and _has_index(change.without_index, document))

    def _versions(self, package: str) -> str:
        return self.release.versions(package) if self.release else ""

    def instead(self, fact: Requirement, change: PackageChange) -> str:
        """The way out, with the versions that are supported."""
        return change.instead.replace("{versions}", f"`{self._versions(fact.name)}`")


def _has_index(pattern: str, document: Document) -> bool:
    return any(fnmatchcase(each.url, pattern) for each in document.of(PackageIndex))


def _empties(among: Span | None, facts: list[Requirement], spoken: list[Spoken]) -> bool:
    """Whether nothing would be left of what needs one requirement at least."""
    if among is None:
        return False
    there = [each for each in facts if each.among == among]
    gone = [each for each, _, change in spoken if each.among == among and change.action == "drop"]
    return len(gone) == len(there)


def _edits(
    fact: Requirement, change: PackageChange, facts: list[Requirement], document: Document
) -> tuple[list[Edit], str | None]:
    """What the fix changes, or why there is none."""
    if change.action == "report":
        return [], None
    if change.target not in (None, document.target):
        return [], "CUDA needs it, and the project is to run there too"
    if fact.frozen:
        return [], fact.frozen
    if change.action == "drop":
        return _drop(fact)
    if fact.url:
        return [], "it is taken from an address"
    pinned = next((each for each in facts if each.name in change.beside and each.specifier), None)
    if pinned is not None:
        return [], f"`{pinned.text}` would have to change with it"
    return _rename(fact, change, facts) if change.action == "rename" else _pin(fact, change)


def _drop(fact: Requirement) -> tuple[list[Edit], str | None]:
    if fact.removal is None:
        return [], "it cannot be taken out without changing what stands around it"
    return [Edit(fact.removal.start, fact.removal.end, "")], None


def _rename(
    fact: Requirement, change: PackageChange, facts: list[Requirement]
) -> tuple[list[Edit], str | None]:
    assert change.to is not None
    if any(each.name == change.to for each in facts):
        return [], f"`{change.to}` is asked for too"
    if any(sign in fact.specifier for sign in ("=", "<", "~")) and ">=" not in fact.specifier:
        return [], "the version is of another package"
    if fact.name_span is None:
        return [], "it is written in a way that has no place for another name"
    return [Edit(fact.name_span.start, fact.name_span.end, change.to)], None


def _pin(fact: Requirement, change: PackageChange) -> tuple[list[Edit], str | None]:
    assert change.to is not None
    if fact.specifier_span is None:
        return [], "versions are written in another way here"
    return [Edit(fact.specifier_span.start, fact.specifier_span.end, change.to)], None


def _report(
    fact: Requirement,
    rule: Rule,
    change: PackageChange,
    text: str,
    edits: list[Edit],
    reason: str | None,
    document: Document,
) -> None:
    safety: Safety = change.safety
    if any(
        comment.start < edit.end and edit.start < comment.end
        for edit in edits
        for comment in document.reading.comments
    ):
        safety, reason = "unsafe", "a comment would go with it"
    risk = Risk.INFO if fact.optional else change.risk
    document.report(rule, fact.span, text, edits=edits, safety=safety, not_fixed=reason, risk=risk)
