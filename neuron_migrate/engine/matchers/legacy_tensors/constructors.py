"""Legacy tensor constructors: ``FloatTensor([1, 2])`` copies, ``FloatTensor(2)`` allocates."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here

_DATA = (cst.List, cst.Tuple, cst.ListComp)
_AST_DATA = (ast.List, ast.Tuple, ast.ListComp)
_COUNTS = frozenset({"len", "int", "item", "size", "numel", "dim", "ndimension", "nelement"})
_Content = Literal["data", "size", "unknown"]


def template(call: cst.Call, here: Here) -> tuple[str | None, str]:
    """The beginning of the call that does the same, or None and why there is none.

    What follows are the dtype, the device and the closing parenthesis.
    """
    args = call.args
    if any(arg.keyword is not None or arg.star == "**" for arg in args):
        return None, "it is given keywords"
    if not args:
        return "torch.empty(0", ""
    if len(args) > 1 or args[0].star:
        return "torch.empty({args}", ""
    content = _content(args[0].value, here)
    if content == "unknown":
        return None, "a list is copied and an integer is a size: which one is given cannot be seen"
    return ("torch.tensor({args}" if content == "data" else "torch.empty({args}"), ""


def _content(node: cst.BaseExpression, here: Here) -> _Content:
    if isinstance(node, _DATA):
        return "data"
    if isinstance(node, cst.Integer) or _is_size(node):
        return "size"
    if isinstance(node, cst.BinaryOperation):
        left, right = _content(node.left, here), _content(node.right, here)
        if isinstance(node.operator, cst.Multiply) and "data" in (left, right):
            return "data"
        return left if left == right else "unknown"
    if isinstance(node, cst.Call):
        return _called(node, here)
    if isinstance(node, cst.Name):
        return _held(node.value, here)
    return "unknown"


def _is_size(node: cst.BaseExpression) -> bool:
    """``x.shape``, ``x.shape[0]``: a size either way."""
    if isinstance(node, cst.Subscript):
        node = node.value
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def _called(call: cst.Call, here: Here) -> _Content:
    path = here.path(call.func)
    if path.startswith("numpy."):
        return "data"
    name = getattr(call.func, "attr", call.func)
    leaf = name.value if isinstance(name, cst.Name) else ""
    if leaf in {"list", "tolist"}:
        return "data"
    return "size" if leaf in _COUNTS else "unknown"


def _held(name: str, here: Here) -> _Content:
    """What the only value of a name is."""
    bindings = names.lookup(name, here.scope)
    if len(bindings) != 1:
        return "unknown"
    value = bindings[0].value
    if isinstance(value, _AST_DATA):
        return "data"
    if isinstance(value, ast.Constant) and type(value.value) is int:
        return "size"
    if isinstance(value, ast.Call):
        path = names.resolve_expression(value.func, bindings[0].scope) or ""
        leaf = value.func.attr if isinstance(value.func, ast.Attribute) else path
        if path.startswith("numpy."):
            return "data"
        return "size" if leaf in _COUNTS or ast.unparse(value.func) in _COUNTS else "unknown"
    return "unknown"
