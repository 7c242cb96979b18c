"""What kind of value an expression visibly is, by its text or by all that a name is given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from neuron_migrate.engine import names

if TYPE_CHECKING:
    import libcst as cst

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Scope

Kind = Literal["text", "integer-tensor", "cuda-source", "device-count"]

_INTEGERS = frozenset(
    {"int8", "int16", "int32", "int64", "uint8", "short", "int", "long", "torch.int", "torch.long"}
)
_MAKERS = frozenset({"tensor", "as_tensor", "zeros", "ones", "full", "empty", "arange"})
_LEGACY = frozenset({"IntTensor", "LongTensor", "ShortTensor", "CharTensor"})
_SAME_TYPE = frozenset(
    {
        "to",
        "cuda",
        "cpu",
        "clone",
        "detach",
        "contiguous",
        "unsqueeze",
        "squeeze",
        "view",
        "reshape",
    }
)
_BOOLEAN = frozenset({"eq", "ne", "gt", "ge", "lt", "le", "isnan", "isinf"})
_MAX_HOPS = 3


def is_visibly(kind: Kind, node: cst.BaseExpression, here: Here) -> bool:
    """True when the expression is certainly of this kind."""
    try:
        expression = ast.parse(here.source(node).strip(), mode="eval").body
    except SyntaxError:
        return False
    return _CHECKS[kind](expression, here.scope, 0)


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
    return _every_assignment(node, scope, hops, "text")


def _is_integer_tensor(node: ast.expr, scope: Scope, hops: int) -> bool:
    if not isinstance(node, ast.Call):
        return _every_assignment(node, scope, hops, "integer-tensor")
    path = names.resolve_expression(node.func, scope) or ""
    if path.startswith("torch."):
        return _makes_integers(path.rpartition(".")[2], node, scope)
    if not isinstance(node.func, ast.Attribute):
        return False
    method, receiver = node.func.attr, node.func.value
    if method in {"long", "int"}:
        return True
    if method == "sum":
        return _is_boolean(receiver)
    if method == "to" and any(_is_integer_type(each, scope) for each in _values(node)):
        return True
    return method in _SAME_TYPE and _is_integer_tensor(receiver, scope, hops)


def _makes_integers(maker: str, call: ast.Call, scope: Scope) -> bool:
    if maker in _LEGACY:
        return True
    given = [each.value for each in call.keywords if each.arg == "dtype"]
    if given:
        return maker in _MAKERS | {"randint"} and _is_integer_type(given[0], scope)
    if maker == "randint":
        return True
    return (
        maker in {"tensor", "as_tensor", "arange"}
        and bool(call.args)
        and all(_is_integer_literal(each) for each in call.args)
    )


def _is_integer_literal(node: ast.expr) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return bool(node.elts) and all(_is_integer_literal(each) for each in node.elts)
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_integer_type(node: ast.expr, scope: Scope) -> bool:
    path = names.resolve_expression(node, scope) or ""
    return path.startswith("torch.") and path.removeprefix("torch.") in _INTEGERS


def _is_boolean(node: ast.expr) -> bool:
    if isinstance(node, ast.Compare):
        return True
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _BOOLEAN
    )


def _values(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]


def _every_assignment(node: ast.expr, scope: Scope, hops: int, kind: Kind) -> bool:
    if not isinstance(node, ast.Name) or hops >= _MAX_HOPS:
        return False
    bindings = names.lookup(node.id, scope)
    return bool(bindings) and all(
        binding.kind == "assign"
        and binding.value is not None
        and _CHECKS[kind](binding.value, binding.scope, hops + 1)
        for binding in bindings
    )


_CHECKS = {
    "text": _is_text,
    "integer-tensor": _is_integer_tensor,
    "cuda-source": _is_cuda_source,
    "device-count": _is_device_count,
}
