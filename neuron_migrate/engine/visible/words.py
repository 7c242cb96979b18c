"""Text, file names, numbers of devices, and what made a value: all but the tensors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.engine.index import Scope

_MAX_HOPS = 3


def _is_cuda_source(node: ast.expr, scope: Scope, hops: int) -> bool:
    """True when a file name in the expression ends in ``.cu``."""
    del scope, hops
    return any(
        isinstance(each, ast.Constant)
        and isinstance(each.value, str)
        and each.value.endswith((".cu", ".cuh"))
        for each in ast.walk(node)
    )


def _is_device_count(node: ast.expr, scope: Scope, hops: int) -> bool:
    """True for the number of devices, also where only one of several assignments gives it."""
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).endswith("device_count")
    if isinstance(node, ast.BinOp):
        return _is_device_count(node.left, scope, hops) or _is_device_count(node.right, scope, hops)
    if not isinstance(node, ast.Name) or hops >= _MAX_HOPS:
        return False
    return any(
        binding.value is not None and _is_device_count(binding.value, binding.scope, hops + 1)
        for binding in names.lookup(node.id, scope)
    )


def _is_text(node: ast.expr, scope: Scope, hops: int) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        return _is_text(node.left, scope, hops)
    if isinstance(node, ast.IfExp):
        return _is_text(node.body, scope, hops) and _is_text(node.orelse, scope, hops)
    if isinstance(node, ast.Call):
        func = node.func
        if isinstance(func, ast.Name):
            return func.id == "str"
        return (
            isinstance(func, ast.Attribute)
            and func.attr == "format"
            and _is_text(func.value, scope, hops)
        )
    return _every_assignment_is_text(node, scope, hops)


def _every_assignment_is_text(node: ast.expr, scope: Scope, hops: int) -> bool:
    if not isinstance(node, ast.Name) or hops >= _MAX_HOPS:
        return False
    bindings = names.lookup(node.id, scope)
    return bool(bindings) and all(
        binding.kind == "assign"
        and binding.value is not None
        and _is_text(binding.value, binding.scope, hops + 1)
        for binding in bindings
    )


def is_made_by(methods: Iterable[str], node: ast.expr, scope: Scope, hops: int = 0) -> bool:
    """True when the last call is one of the methods or functions; a name by all it is given."""
    if isinstance(node, ast.Call):
        path = names.resolve_expression(node.func, scope) or ""
        attribute = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        return path in methods or (not path and f".{attribute}" in methods)
    if not isinstance(node, ast.Name) or hops >= _MAX_HOPS:
        return False
    bindings = names.lookup(node.id, scope)
    return bool(bindings) and all(
        binding.value is not None
        and binding.kind == "assign"
        and is_made_by(methods, binding.value, binding.scope, hops + 1)
        for binding in bindings
    )


CHECKS = {
    "text": _is_text,
    "cuda-source": _is_cuda_source,
    "device-count": _is_device_count,
}
