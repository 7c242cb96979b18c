"""Import statements that give a name from another module, or no longer give it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding


@dataclass(frozen=True, slots=True, eq=False)
class Import:
    """One name of an import statement."""

    here: Here
    statement: cst.ImportFrom | cst.Import
    alias: cst.ImportAlias
    path: str
    local: str
    """The name it binds; for ``import a.b`` that is ``a``."""
    binding: Binding

    @property
    def plain(self) -> bool:
        """True for ``import a.b``, which binds ``a`` only."""
        return isinstance(self.statement, cst.Import) and self.alias.asname is None

    @property
    def siblings(self) -> list[cst.ImportAlias]:
        """All names of the statement."""
        given = self.statement.names
        return [] if isinstance(given, cst.ImportStar) else list(given)

    @property
    def kept(self) -> bool:
        """True when the module offers the name, or a string annotation holds it."""
        file = self.here.file
        quoted = re.search(rf"(['\"]){re.escape(self.local)}\1", file.text)
        return bool(quoted) or file.is_package

    @property
    def guarded(self) -> bool:
        """True when the import may fail by design, or another one gives the same name."""
        others = names.lookup(self.local, self.here.scope)
        if len({other.target for other in others if other.kind == "import"}) > 1:
            return True
        for outer in self.binding.statement.ancestors():
            if isinstance(outer.node, ast.ExceptHandler):
                return True
            if isinstance(outer.node, ast.Try) and outer.node.handlers:
                return len(others) > 1
        return False

    def given_from(self, home: str) -> cst.ImportAlias:
        """The clause that gives the same local name from ``home``."""
        if isinstance(self.statement, cst.Import):
            return self.alias.with_changes(name=_chain(home))
        leaf = home.rpartition(".")[2]
        asname = self.alias.asname
        if asname is None and leaf != self.local:
            asname = cst.AsName(name=cst.Name(self.local))
        return self.alias.with_changes(name=cst.Name(leaf), asname=asname)

    def line_after(self, line: str) -> Edit:
        """The edit that adds a line after the statement."""
        file, statement = self.here.file, self.here.piece.statement
        place = file.lines.next_line(getattr(statement.node, "end_lineno", statement.start[0]))
        start = file.lines.offset(statement.start[0], 1)
        indentation = file.text[start : self.here.piece.start]
        return Edit(place, place, f"{indentation}{line}{file.lines.newline}")


def changed(homes: list[tuple[Import, str | None]]) -> tuple[cst.CSTNode | None, list[Edit]]:
    """The statement with each name from its new home, or without it where there is none.

    Also the lines to add for names that part from the statement; no statement when none is left.
    """
    first = homes[0][0]
    statement, here = first.statement, first.here
    if isinstance(statement, cst.Import):
        given = {id(each.alias): _clause(each, home) for each, home in homes}
        return _listed(statement, first.siblings, given), []
    module = dotted(statement.module)
    parted: dict[str, list[cst.ImportAlias]] = {}
    clauses: dict[int, cst.ImportAlias | None] = {}
    for each, home in homes:
        clause = _clause(each, home)
        clauses[id(each.alias)] = clause
        source = home.rpartition(".")[0] if home else module
        if clause is not None and source != module:
            parted.setdefault(source, []).append(clause)
            clauses[id(each.alias)] = None
    new = _listed(statement, first.siblings, clauses)
    if new is None and parted:
        source = next(iter(parted))
        moved = {
            id(each.alias): _clause(each, home if _comes_from(home, source) else None)
            for each, home in homes
        }
        del parted[source]
        kept = _listed(statement, first.siblings, moved)
        assert kept is not None
        new = kept.with_changes(module=_chain(source))
    lines = [f"from {source} import {_joined(here, each)}" for source, each in parted.items()]
    return new, [first.line_after(line) for line in lines]


def imports(node: cst.ImportFrom | cst.Import, here: Here) -> Iterator[Import]:
    """The names that an absolute import statement brings in."""
    if isinstance(node.names, cst.ImportStar) or bool(getattr(node, "relative", ())):
        return
    prefix = f"{dotted(node.module)}." if isinstance(node, cst.ImportFrom) else ""
    for alias in node.names:
        path = prefix + dotted(alias.name)
        local = dotted(alias.asname.name if alias.asname else alias.name)
        if not prefix and not alias.asname:
            local = local.partition(".")[0]
        for binding in names.lookup(local, here.scope):
            if binding.statement is here.piece.statement:
                yield Import(here, node, alias, path, local, binding)
                break


def dotted(node: cst.CSTNode | None) -> str:
    """The text of a dotted name; empty for anything else."""
    if isinstance(node, cst.Attribute):
        return f"{dotted(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _clause(each: Import, home: str | None) -> cst.ImportAlias | None:
    return each.given_from(home) if home is not None else None


def _comes_from(home: str | None, module: str) -> bool:
    return home is not None and home.rpartition(".")[0] == module


def _listed(
    statement: cst.ImportFrom | cst.Import,
    siblings: list[cst.ImportAlias],
    clauses: dict[int, cst.ImportAlias | None],
) -> cst.ImportFrom | cst.Import | None:
    """The statement with other clauses, or without those that are None."""
    given = [clauses.get(id(alias), alias) for alias in siblings]
    kept = [clause for clause in given if clause is not None]
    if not kept:
        return None
    if given[-1] is None:
        kept[-1] = kept[-1].with_changes(comma=siblings[-1].comma)
    return statement.with_changes(names=kept)


def _joined(here: Here, clauses: list[cst.ImportAlias]) -> str:
    plain = [clause.with_changes(comma=cst.MaybeSentinel.DEFAULT) for clause in clauses]
    return ", ".join(here.source(clause) for clause in plain)


def _chain(path: str) -> cst.Attribute | cst.Name:
    node = cst.parse_expression(path)
    assert isinstance(node, (cst.Attribute, cst.Name))
    return node
