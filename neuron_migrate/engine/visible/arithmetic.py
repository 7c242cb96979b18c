"""What an operator makes of two tensors, or of a tensor and a number."""

from __future__ import annotations

import ast

from neuron_migrate.engine.visible.values import (
    COMPLEX,
    FLOATS,
    INTEGERS,
    NUMBERS,
    Place,
    Value,
    together,
)

_WHOLE = INTEGERS | {"bool"}
_LOGIC = (ast.BitAnd, ast.BitOr, ast.BitXor)
_ORDER = ("int", "float", "complex")


def result(op: ast.operator, left: Value | None, right: Value | None) -> Value | None:
    """The value of a binary operation, or None when neither side shows a tensor."""
    if left is None or right is None:
        known = left or right
        return None if known is None or not known.is_tensor else Value(place=_beside(known))
    if not left.is_tensor and not right.is_tensor:
        return _number(op, left, right)
    place = together((left, right))
    dtypes = _promoted(left, right)
    if isinstance(op, ast.Div) and dtypes and dtypes <= _WHOLE:
        dtypes = frozenset({"float32"})
    return Value(dtypes, place)


def _beside(known: Value) -> Place:
    """Where the result is when the other operand may be a tensor elsewhere."""
    return "device" if known.place == "device" else "unknown"


def _number(op: ast.operator, left: Value, right: Value) -> Value:
    both = left.dtypes | right.dtypes
    highest = max(both, key=_ORDER.index)
    if isinstance(op, (ast.Div, ast.Pow)) and highest == "int":
        highest = "float" if isinstance(op, ast.Div) else "int"
    return Value(frozenset({highest}))


def _promoted(left: Value, right: Value) -> frozenset[str]:
    if left.dtypes == right.dtypes:
        return left.dtypes
    for one, other in ((left, right), (right, left)):
        if other.is_one_of(NUMBERS):
            return _with_number(one, max(other.dtypes, key=_ORDER.index))
    if not left.dtypes or not right.dtypes:
        return frozenset()
    for one, other in ((left, right), (right, left)):
        if one.is_one_of(_WHOLE) and other.is_one_of(FLOATS | COMPLEX):
            return other.dtypes
    return frozenset()


def _with_number(tensor: Value, number: str) -> frozenset[str]:
    """A number changes the dtype of a tensor only when it is of a higher kind."""
    if number == "complex":
        return tensor.dtypes if tensor.is_one_of(COMPLEX) else COMPLEX
    if number == "float":
        return frozenset({"float32"}) if tensor.is_one_of(_WHOLE) else tensor.dtypes
    return frozenset({"int64"}) if tensor.is_one_of({"bool"}) else tensor.dtypes
