"""Objects that the file shows to be torch modules: what made them, or what they are called."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Scope

_MODULES = re.compile(r"(torch\.nn(\.modules\.\w+|\.parallel)?|torchvision\.models)\.[A-Z]\w*")
_LOADERS = frozenset({"from_pretrained", "from_config", "create_model"})
_SAME = frozenset({"to", "cuda", "cpu", "eval", "train", "half", "float", "requires_grad_"})
_MAX_HOPS = 4


def is_module(node: cst.BaseExpression, here: Here) -> bool:
    """True when the file shows that the expression is a ``torch.nn.Module``."""
    if isinstance(node, cst.Name) and node.value in {"self", "cls"}:
        return _in_module_class(here)
    if isinstance(node, cst.Attribute) and isinstance(node.value, cst.Name):
        if node.value.value != "self":
            return False
        given = here.file.index.attributes.get(node.attr.value, [])
        return bool(given) and all(
            value is not None and _makes(value, statement.scope, 0) for value, statement in given
        )
    return _names_module(node.value, here.scope, 0) if isinstance(node, cst.Name) else False


def _in_module_class(here: Here) -> bool:
    for outer in here.piece.statement.ancestors():
        if isinstance(outer.node, ast.ClassDef):
            return _is_class(outer.node, outer.scope, 0)
    return False


def _names_module(name: str, scope: Scope, hops: int) -> bool:
    bindings = names.lookup(name, scope)
    if not bindings or hops > _MAX_HOPS:
        return False
    first = bindings[0]
    if first.annotation is not None and _is_type(first.annotation, first.scope, hops):
        return True
    # `model = model.to(device)` says nothing of its own: what it starts from decides.
    told = [each for each in bindings if each.value is not None and each.kind == "assign"]
    return bool(told) and any(
        _makes(each.value, each.scope, hops, but=name) for each in told if each.value is not None
    )


def _makes(value: ast.expr, scope: Scope, hops: int, but: str = "") -> bool:
    """True when evaluating the expression gives a module."""
    if isinstance(value, ast.Name):
        return value.id != but and _names_module(value.id, scope, hops + 1)
    if not isinstance(value, ast.Call):
        return False
    func = value.func
    if isinstance(func, ast.Attribute):
        if func.attr in _SAME:
            return _makes(func.value, scope, hops + 1, but)
        if func.attr in _LOADERS:
            path = names.resolve_expression(func, scope) or ""
            return "Model" in path and "Config" not in path
    return _is_type(func, scope, hops)


def _is_type(node: ast.expr, scope: Scope, hops: int) -> bool:
    path = names.resolve_expression(node, scope)
    if path:
        return bool(_MODULES.fullmatch(path)) and path != "torch.nn.Parameter"
    if not isinstance(node, ast.Name) or hops > _MAX_HOPS:
        return False
    return any(
        isinstance(each.statement.node, ast.ClassDef)
        and _is_class(each.statement.node, each.scope, hops + 1)
        for each in names.lookup(node.id, scope)
    )


def _is_class(node: ast.ClassDef, scope: Scope, hops: int) -> bool:
    bases: Iterable[ast.expr] = node.bases
    return any(_is_type(base, scope, hops) for base in bases)
