"""Whether a file moves an object to a device before it reaches a statement."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names, order
from neuron_migrate.engine.visible import flow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Scope, Statement

_DEVICE = re.compile(r"device|\bdev\b|rank|gpu|cuda|neuron|accelerator", re.IGNORECASE)
_PARAMETERS = frozenset({"parameters", "named_parameters"})
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)
_SAME = frozenset(
    {
        "eval", "train", "half", "float", "bfloat16", "double", "requires_grad_", "share_memory_",
        "share_memory", "clone", "detach", "contiguous",
    }
)  # fmt: skip
"""Methods that leave a module, or a tensor, where it is."""


def is_used(call: cst.Call, here: Here) -> bool:
    """True where the call's object, or something in its arguments, was moved to a device."""
    parts = [each for arg in call.args for each in _parts(arg.value)]
    if isinstance(call.func, cst.Attribute):
        parts.append(call.func.value)
    return any(is_moved(each, here) for each in parts)


def moved_later(call: cst.Call, here: Here) -> int | None:
    """The later line that moves a module whose parameters the call is given, if there is one."""
    tree = ast.parse(here.source(call).strip(), mode="eval")
    chosen = {
        part for each in ast.walk(tree) if isinstance(each, ast.IfExp) for part in ast.walk(each)
    }
    owners = [
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and each.attr in _PARAMETERS and each not in chosen
    ]
    lines = [
        _moved_later(each.id, here)
        for each in owners
        if isinstance(each, ast.Name) and not is_moved(cst.Name(each.id), here)
    ]
    return next((line for line in lines if line is not None), None)


def is_moved(node: cst.BaseExpression, here: Here) -> bool:
    """True for an object that is moved, or whose name stands for one that was by then."""
    statement = here.piece.statement
    if isinstance(node, cst.Name) and node.value not in here.inner_names(node):
        bindings = flow.reaching(names.lookup(node.value, here.scope), statement)
        values = [(each.value, each.scope) for each in bindings if each.value is not None]
        return any(_moves(*each) for each in values) or _moved_in_place(node.value, here)
    try:
        expression = ast.parse(here.source(node).strip(), mode="eval").body
    except SyntaxError:
        return False
    return _moves(expression, here.scope)


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The elements of a literal collection, in the collections in it too."""
    if isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from _parts(element.value)
    elif isinstance(node, cst.Dict):
        for entry in node.elements:
            yield from _parts(entry.value)
    else:
        yield node


def _moved_later(name: str, here: Here) -> int | None:
    """The line of the same function that moves what the name stands for."""
    at = here.piece.statement
    bindings = names.lookup(name, here.scope)
    given = set(flow.reaching(bindings, at))
    for each in here.file.index.statements:
        if isinstance(each.node, _SIMPLE) and order.follows(each, at) and each.node.value:
            calls = [node for node in ast.walk(each.node.value) if isinstance(node, ast.Call)]
            moved = any(_names(call) == name and _moves(call, each.scope) for call in calls)
            if moved and not given.isdisjoint(flow.reaching(bindings, each)):
                return each.start[0]
    return None


def _moved_in_place(name: str, here: Here) -> bool:
    """True after ``model.to(device)`` as a statement of its own, in the same function."""
    at = here.piece.statement
    return any(
        isinstance(each.node, ast.Expr)
        and _names(each.node.value) == name
        and _moves(each.node.value, each.scope)
        for each in _before(at, here.file.index.statements)
    )


def _before(at: Statement, statements: Iterable[Statement]) -> Iterator[Statement]:
    """The statements of the same function that stand before another one."""
    for statement in statements:
        if statement.start >= at.start:
            return
        if statement.scope is at.scope:
            yield statement


def _names(node: ast.expr) -> str:
    """The name that a chain of methods starts with."""
    while isinstance(node, (ast.Call, ast.Attribute)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _moves(node: ast.expr, scope: Scope) -> bool:
    """True for an expression whose last move of its object is one to a device."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    method = node.func.attr
    if method in {"cuda", "neuron"}:
        return names.resolve_expression(node.func, scope) is None
    if method in _SAME:
        return _moves(node.func.value, scope)
    if method != "to":
        return False
    given = [*node.args, *(each.value for each in node.keywords)]
    places = [each for each in given if _is_device(each, scope)]
    return bool(places) or (
        not any(isinstance(each, ast.Constant) or "cpu" in ast.unparse(each) for each in given)
        and _moves(node.func.value, scope)
    )


def _is_device(node: ast.expr, scope: Scope) -> bool:
    """True for what names a device that is not the host."""
    text = ast.unparse(node)
    if isinstance(node, ast.Name):
        given = [each.value for each in names.lookup(node.id, scope) if each.value is not None]
        texts = [ast.unparse(each) for each in given]
        if texts and all("cpu" in each and not _DEVICE.search(_bare(each)) for each in texts):
            return False
    return _DEVICE.search(_bare(text)) is not None


def _bare(text: str) -> str:
    """A text without ``torch.device("cpu")`` and ``torch``'s dtypes, that name no such device."""
    return re.sub(r"torch\.device\(['\"]cpu['\"]\)|['\"]cpu['\"]", "", text)
