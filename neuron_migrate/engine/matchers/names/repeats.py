"""Statements that only say again what another one beside them says."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement


def stands_beside(path: str, call: cst.Call, here: Here) -> bool:
    """True when a call of ``path`` in the same block has the arguments of this statement."""
    statement = here.piece.statement
    if not isinstance(here.parent(call), cst.Expr):
        return False
    given = ast.dump(ast.parse(f"f({', '.join(here.source(arg.value) for arg in call.args)})"))
    place = next(index for index, each in enumerate(statement.siblings) if each is statement)
    for step in (-1, 1):
        other = place + step
        while 0 <= other < len(statement.siblings):
            sibling = statement.siblings[other]
            if _calls(path, sibling, given):
                return True
            if not _keeps_names(sibling, call):
                break
            other += step
    return False


def _calls(path: str, statement: Statement, given: str) -> bool:
    node = statement.node
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    call = node.value
    if names.resolve_expression(call.func, statement.scope) != path:
        return False
    values = [*call.args, *(each.value for each in call.keywords)]
    return ast.dump(ast.parse(f"f({', '.join(ast.unparse(value) for value in values)})")) == given


def _keeps_names(statement: Statement, call: cst.Call) -> bool:
    """True for a plain statement that gives no name in the arguments another value."""
    node = statement.node
    if isinstance(node, ast.Expr):
        return True
    if not isinstance(node, ast.Assign):
        return False
    stored = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    used = {each.value for arg in call.args for each in _names(arg)}
    return stored.isdisjoint(used)


def _names(node: cst.CSTNode) -> list[cst.Name]:
    found = [node] if isinstance(node, cst.Name) else []
    for child in node.children:
        found += _names(child)
    return found
