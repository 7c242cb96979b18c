"""What the catalog says about a dotted path of a package that is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import GoneMatch, GoneName
from neuron_migrate.engine.matchers.gone.imports import instead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.schema import Rule


class Lookup:
    """Packages and names of all rules of the kind, by their path."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.packages: dict[str, Rule] = {}
        self.known: dict[str, tuple[Rule, GoneName]] = {}
        for rule in rules:
            assert isinstance(rule.match, GoneMatch)
            self.packages.update(dict.fromkeys(rule.match.packages, rule))
            self.known.update((entry.name, (rule, entry)) for entry in rule.match.names)
        self.roots = {path.partition(".")[0] for path in (*self.packages, *self.known)}

    def of_import(self, path: str) -> Rule | None:
        """The rule for an import: that of the name if it speaks of packages, else the package's."""
        known, package = self.known.get(path), self.of_package(path)
        if known is None or (package is not None and not _speaks_of_packages(known[0])):
            return package
        return known[0]

    def of_use(self, path: str) -> Rule | None:
        """The rule that speaks about what is not known by its own name."""
        package = self.of_package(path)
        if package is None:
            return None
        return next(
            (self.known[each][0] for each in _outwards(path) if each in self.known), package
        )

    def of_package(self, path: str) -> Rule | None:
        """The rule of the innermost package around a path."""
        return next(
            (self.packages[each] for each in _outwards(path) if each in self.packages), None
        )

    def way(self, path: str, rule: Rule) -> str:
        """The way out: what is said about the name, its module, or the package."""
        inside = (self.known[each][1].note for each in _outwards(path) if each in self.known)
        return next(filter(None, inside), instead(rule))

    def longest(
        self, node: cst.BaseExpression, path: str
    ) -> tuple[cst.BaseExpression, tuple[Rule, GoneName] | None]:
        """The longest part of an attribute chain that is known, or all of it."""
        part, name = node, path
        while name not in self.known and isinstance(part, cst.Attribute):
            part, name = part.value, name.rpartition(".")[0]
        return (part, self.known[name]) if name in self.known else (node, None)


def _speaks_of_packages(rule: Rule) -> bool:
    return isinstance(rule.match, GoneMatch) and bool(rule.match.packages)


def _outwards(path: str) -> Iterator[str]:
    """A dotted path, then the modules around it."""
    while path:
        yield path
        path = path.rpartition(".")[0]
