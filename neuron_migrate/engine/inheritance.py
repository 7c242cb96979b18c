"""What the classes of a file inherit from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.index import Scope

_MAX_DEPTH = 8


def own_class(name: str, scope: Scope) -> tuple[ast.ClassDef, Scope] | None:
    """The class of the file that a name stands for, and the scope that it is defined in."""
    bindings = names.lookup(name, scope)
    if len(bindings) != 1 or bindings[0].kind != "class":
        return None
    node = bindings[0].statement.node
    return (node, bindings[0].scope) if isinstance(node, ast.ClassDef) else None


def lineage(
    node: ast.ClassDef, scope: Scope, depth: int = 0
) -> Iterator[tuple[list[ast.ClassDef], str]]:
    """The imported classes that a class inherits from, each after the classes of the file on the
    way to it."""
    for base in node.bases if depth < _MAX_DEPTH else ():
        path = names.resolve_expression(base, scope)
        if path is not None:
            yield [node], path
        elif isinstance(base, ast.Name):
            found = own_class(base.id, scope)
            if found is not None and found[0] is not node:
                for between, path in lineage(*found, depth + 1):
                    yield [node, *between], path


def constructors(name: str, scope: Scope) -> list[str]:
    """The imported classes whose constructor a class of the file inherits."""
    found = own_class(name, scope)
    if found is None:
        return []
    return [
        path
        for between, path in lineage(*found)
        if not any("__init__" in members(each) for each in between)
    ]


def fields(name: str, scope: Scope) -> set[str]:
    """What a class of the file, and those of the file that it inherits from, define."""
    found = own_class(name, scope)
    if found is None:
        return set()
    return {name for between, _ in lineage(*found) for each in between for name in members(each)}


def members(node: ast.ClassDef) -> Iterator[str]:
    """The names that the body of a class defines."""
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield item.name
        elif isinstance(item, ast.Assign):
            yield from (each.id for each in item.targets if isinstance(each, ast.Name))
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            yield item.target.id
