"""Package indexes that hold builds for another device."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.catalog.text_patterns import PackageIndexMatch
from neuron_migrate.engine.texts.facts import PackageIndex, Requirement
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.document import Document


class PackageIndexes:
    """Matches rules of kind ``package-index``; the first that fits an index speaks about it."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [
            (rule, rule.match) for rule in rules if isinstance(rule.match, PackageIndexMatch)
        ]

    def match(self, document: Document) -> None:
        """Report every index that a rule knows."""
        for fact in document.of(PackageIndex):
            for rule, pattern in self.rules:
                if any(_is(fact.url, address) for address in pattern.addresses):
                    _report(rule, pattern, fact, document)
                    break


def _is(url: str, pattern: str) -> bool:
    """Whether an address fits; what follows the last ``/`` of a pattern holds none."""
    url = url.rstrip("/")
    return fnmatchcase(url, pattern) and url.count("/") == pattern.count("/")


def _report(rule: Rule, pattern: PackageIndexMatch, fact: PackageIndex, document: Document) -> None:
    reason = _reason(pattern, fact, document)
    edits: list[Edit] = []
    if pattern.to is not None and reason is None:
        length = len(fact.url.rstrip("/"))
        edits = [Edit(fact.span.start, fact.span.start + length, pattern.to)]
    text = f"`{fact.url}`: {pattern.instead}"
    document.report(rule, fact.span, text, edits=edits, not_fixed=reason)


def _reason(pattern: PackageIndexMatch, fact: PackageIndex, document: Document) -> str | None:
    """Why the address cannot be replaced."""
    if pattern.to is None:
        return None
    if pattern.target not in (None, document.target):
        return "CUDA needs it, and the project is to run there too"
    if fact.frozen:
        return fact.frozen
    other = next((name for name in fact.serves if name not in pattern.has), None)
    if other is not None and pattern.has:
        return f"`{other}` is taken from it too"
    for each in document.of(Requirement):
        if not each.url and any(fnmatchcase(each.build, build) for build in pattern.keeps_builds):
            return f"only this index has `{each.text}`, which has to change first"
    return None
