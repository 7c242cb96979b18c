"""Whether a variable keeps what the rounds before gave it, or starts anew in each."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FIXED = ("forward", "__init__")
"""Functions, by how their names begin, whose loops go over a model's parts: the same each time."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def loop(statement: Statement) -> Statement | None:
    """The innermost loop of the function around a statement."""
    for outer in statement.ancestors():
        if isinstance(outer.node, _DEFINITIONS):
            return None
        if isinstance(outer.node, _LOOPS):
            return outer
    return None


def grows(target: cst.Name | cst.Attribute, here: Here) -> bool:
    """True when the statement adds to what an earlier round, or an earlier call, has left there."""
    statement = here.piece.statement
    function = _function(statement)
    if function is not None and getattr(function.node, "name", "").startswith(_FIXED):
        return False
    around = loop(statement)
    if around is None and (isinstance(target, cst.Name) or not _is_own(target, statement)):
        return False
    region = around or function
    if region is None:
        return False
    name = target.value if isinstance(target, cst.Name) else target.attr.value
    if isinstance(target, cst.Attribute) and _is_of_round(target, region, here):
        return False
    return not any(
        _starts_anew(value, other, statement, name)
        for value, other in _given(target, here)
        if other is not statement and (other is region or region in other.ancestors())
    )


def _is_of_round(target: cst.Attribute, region: Statement, here: Here) -> bool:
    """True for an attribute of an object that each round has another one of."""
    owner = target.value
    while isinstance(owner, cst.Attribute):
        owner = owner.value
    bindings = names.lookup(owner.value, here.scope) if isinstance(owner, cst.Name) else []
    return any(
        each.statement is region or region in each.statement.ancestors()
        for each in bindings
        if each.kind == "assign"
    )


def _given(
    target: cst.Name | cst.Attribute, here: Here
) -> Iterator[tuple[ast.expr | None, Statement]]:
    if isinstance(target, cst.Attribute):
        yield from here.file.index.attributes.get(target.attr.value, [])
    else:
        for binding in names.lookup(target.value, here.scope):
            yield binding.value, binding.statement


def _starts_anew(value: ast.expr | None, other: Statement, statement: Statement, name: str) -> bool:
    """True when another assignment of the same round drops what was there, or cuts it."""
    if value is not None and _mentions(value, name):
        return isinstance(value, ast.Subscript)
    return not _is_alternative(other, statement) and not _is_first_round(other, name)


def _is_alternative(other: Statement, statement: Statement) -> bool:
    """True when the two stand in different branches of one ``if``."""
    paths = dict(_path(statement))
    for outer, block in _path(other):
        if outer in paths:
            return isinstance(outer.node, ast.If) and paths[outer] != block
    return False


def _path(statement: Statement) -> Iterator[tuple[Statement, str]]:
    """The statements around one, and the block of each that it stands in."""
    inner = statement
    for outer in statement.ancestors():
        yield outer, inner.block
        inner = outer


def _is_first_round(other: Statement, name: str) -> bool:
    """True under ``if x is None``."""
    parent = other.parent
    return (
        parent is not None
        and isinstance(parent.node, ast.If)
        and _mentions(parent.node.test, name)
        and "None" in ast.unparse(parent.node.test)
    )


def _mentions(node: ast.expr, name: str) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id == name)
        or (isinstance(each, ast.Attribute) and each.attr == name)
        for each in ast.walk(node)
    )


def _is_own(target: cst.Attribute, statement: Statement) -> bool:
    """True for an attribute of ``self`` outside of the constructor."""
    own = isinstance(target.value, cst.Name) and target.value.value == "self"
    return own and _function(statement) is not None


def _function(statement: Statement) -> Statement | None:
    return next(
        (each for each in statement.ancestors() if isinstance(each.node, _DEFINITIONS)), None
    )
