"""What the catalog says about a name that moved, and how a file gets at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.import_lines import Import

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.patterns import MovedMatch, MovedName
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One name of the catalog."""

    rule: Rule
    pattern: MovedMatch
    name: MovedName

    @property
    def leaf(self) -> str:
        """What the new name is called when it is imported."""
        return self.name.to.rpartition(".")[2]

    @property
    def becomes(self) -> str:
        """The move in a sentence, for the message."""
        note = f" {self.name.note}" if self.name.note else ""
        return f"`{self.name.name}` becomes `{self.name.to}`.{note}"


class MovedImport(Import):
    """One name of an import statement, renamed where nothing but code knows its local name."""

    @classmethod
    def of(cls, each: Import) -> MovedImport:
        """The same name of the same statement."""
        return cls(each.here, each.statement, each.alias, each.path, each.local, each.binding)

    def given_from(self, home: str) -> cst.ImportAlias:
        """The clause that gives the new name, under the alias of the old one if it has one."""
        leaf = home.rpartition(".")[2]
        asname = self.alias.asname
        if asname is None and self.kept:
            asname = cst.AsName(name=cst.Name(self.local))
        elif asname is not None and self.local == leaf:
            asname = None
        return self.alias.with_changes(name=cst.Name(leaf), asname=asname)

    def new_local(self, entry: Entry) -> str:
        """What the file calls the new name."""
        return self.local if self.alias.asname or self.kept else entry.leaf


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """A place that names what moved."""

    entry: Entry
    here: Here
    node: cst.BaseExpression
    """The whole chain where the name is reached through its module."""
    local: str | None
    """The name to write there; None where it is reached through its module."""

    def renamed(self) -> tuple[cst.BaseExpression, list[Edit]]:
        """The new name for this place, and the imports that it needs."""
        if self.local is None:
            return self.here.build(self.entry.name.to)
        if isinstance(self.node, cst.Name) and self.node.value != self.local:
            return self.node.with_changes(value=self.local), []
        return self.node, []


def entries_of(
    rules: Iterable[Rule], patterns: Iterable[MovedMatch]
) -> Iterator[tuple[str, Entry]]:
    """Every old name in every home, with its entry."""
    for rule, pattern in zip(rules, patterns, strict=True):
        for name in pattern.names:
            for home in name.homes or pattern.homes:
                yield f"{home}.{name.name}", Entry(rule, pattern, name)
