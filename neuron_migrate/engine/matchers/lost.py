"""Attributes that the objects of a library no longer have."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import LostMatch
from neuron_migrate.engine import inheritance
from neuron_migrate.engine.arguments import last_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.patterns import LostAttribute, LostOwner
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Index


class LostAttributes:
    """Matches rules of kind ``lost-attribute``."""

    nodes = (cst.Attribute,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.known: dict[str, list[tuple[Rule, LostOwner, LostAttribute]]] = {}
        for rule in rules:
            assert isinstance(rule.match, LostMatch)
            for owner in rule.match.owners:
                for each in owner.attributes:
                    self.known.setdefault(each.name, []).append((rule, owner, each))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a read of such an attribute."""
        assert isinstance(node, cst.Attribute)
        name = node.attr.value
        if name not in self.known or not _is_read(node, here) or _is_own(name, here.file.index):
            return
        for rule, owner, each in self.known[name]:
            if _is_owner(node.value, owner, here):
                _report(rule, each, node, here)
                return

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _report(rule: Rule, each: LostAttribute, node: cst.Attribute, here: Here) -> None:
    if each.to is None:
        here.report(rule, node.attr, f"`.{each.name}`: {each.note}")
        return
    new = node.with_changes(attr=node.attr.with_changes(value=each.to))
    text = f"`.{each.name}` is `.{each.to}` now. {each.note}".rstrip()
    here.report(rule, node.attr, text, changes=[(node, new)])


def _is_read(node: cst.Attribute, here: Here) -> bool:
    return not isinstance(here.parent(node), (cst.AssignTarget, cst.AnnAssign, cst.Del))


def _is_own(name: str, index: Index) -> bool:
    """True when the file gives something this attribute: as a member or as a field."""
    if name in index.attributes:
        return True
    scopes = {statement.scope for statement in index.statements}
    return any(scope.kind == "class" and name in scope.bindings for scope in scopes)


def _is_owner(node: cst.BaseExpression, owner: LostOwner, here: Here) -> bool:
    if isinstance(node, cst.Name) and node.value == "self":
        return _inherits(owner.inherits, here)
    if not re.search(owner.names, last_name(node)):
        return False
    return any(fnmatchcase(path, each) for path in _imported(here) for each in owner.beside)


def _imported(here: Here) -> set[str]:
    """The paths that the import statements of the file bind."""
    return {
        binding.target
        for scope in {statement.scope for statement in here.file.index.statements}
        for bindings in scope.bindings.values()
        for binding in bindings
        if binding.kind == "import" and binding.target is not None
    }


def _inherits(paths: tuple[str, ...], here: Here) -> bool:
    """True in a method of a class that inherits from one of these."""
    for outer in here.piece.statement.ancestors():
        if isinstance(outer.node, ast.ClassDef):
            bases = {path for _, path in inheritance.lineage(outer.node, outer.scope)}
            return any(fnmatchcase(base, path) for base in bases for path in paths)
    return False
