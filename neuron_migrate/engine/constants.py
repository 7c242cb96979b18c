"""Numbers that the file writes out, where they are used or under a name."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Callable

    import libcst as cst

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Scope

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_MAX_HOPS = 4


def integer(node: cst.BaseExpression, here: Here) -> int | None:
    """The whole number an expression certainly stands for, or None."""
    try:
        expression = ast.parse(here.source(node).strip(), mode="eval").body
    except SyntaxError:
        return None
    return value(expression, here.scope)


def value(node: ast.expr, scope: Scope, hops: int = 0) -> int | None:
    """The same for an expression of ``ast``, read in a scope."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = value(node.left, scope, hops), value(node.right, scope, hops)
        return None if left is None or right is None else _OPERATORS[type(node.op)](left, right)
    if not isinstance(node, ast.Name) or hops >= _MAX_HOPS:
        return None
    bindings = names.lookup(node.id, scope)
    given = {
        value(each.value, each.scope, hops + 1)
        if each.kind == "assign" and each.value is not None
        else None
        for each in bindings
    }
    return given.pop() if len(given) == 1 else None


def rounds(iterable: ast.expr, scope: Scope) -> int | None:
    """How often a ``for`` over ``range(…)`` goes round, where the numbers are written out."""
    if not isinstance(iterable, ast.Call) or not isinstance(iterable.func, ast.Name):
        return None
    if iterable.func.id != "range" or not 1 <= len(iterable.args) <= 2:
        return None
    bounds = [value(each, scope) for each in iterable.args]
    first, last = bounds if len(bounds) == 2 else (0, bounds[0])
    return None if first is None or last is None else max(last - first, 0)
