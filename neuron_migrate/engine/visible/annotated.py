"""What the annotation of a parameter says about the tensors it takes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from neuron_migrate.engine import names
from neuron_migrate.engine.visible import results
from neuron_migrate.engine.visible.values import COMPLEX, FLOATS, INTEGERS, Value

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Scope

_NUMBERS = frozenset({"int", "float", "complex"})
_SHAPED = {
    "Int": INTEGERS, "Integer": INTEGERS, "Int32": {"int32"}, "Int64": {"int64"},
    "UInt8": {"uint8"}, "Bool": {"bool"}, "Float": FLOATS, "Float32": {"float32"},
    "Float64": {"float64"}, "Complex": COMPLEX, "Shaped": frozenset(), "Num": frozenset(),
}  # fmt: skip
"""``jaxtyping``: ``Int[Tensor, "n"]``."""


def value(annotation: ast.expr | None, scope: Scope) -> Value | None:
    """The value that an annotation promises, or None when it promises none."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return _one_of((annotation.left, annotation.right), scope)
    if isinstance(annotation, ast.Subscript):
        return _subscripted(annotation, scope)
    if annotation is None:
        return None
    if isinstance(annotation, ast.Name) and annotation.id in _NUMBERS:
        return Value(frozenset({annotation.id}))
    path = names.resolve_expression(annotation, scope) or ""
    if path == "torch.Tensor":
        return Value()
    module, _, name = path.rpartition(".")
    dtype = results.LEGACY.get(name) if module in {"torch", "torch.cuda"} else None
    return Value(frozenset({dtype})) if dtype else None


def _subscripted(annotation: ast.Subscript, scope: Scope) -> Value | None:
    path = names.resolve_expression(annotation.value, scope) or ""
    name, inner = path.rpartition(".")[2], annotation.slice
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name == "Optional":
        return value(inner, scope)
    if name == "Union":
        return _one_of(parts, scope)
    if path.startswith("jaxtyping.") and name in _SHAPED:
        promised = value(parts[0], scope)
        return promised.of(*_SHAPED[name]) if promised is not None else None
    return None


def _one_of(parts: list[ast.expr] | tuple[ast.expr, ...], scope: Scope) -> Value | None:
    """The one type among several that is not ``None``."""
    others = [each for each in parts if not (isinstance(each, ast.Constant) and each.value is None)]
    return value(others[0], scope) if len(others) == 1 else None
