"""What kind of value an expression visibly is, by its text or by all that a name is given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Literal

from neuron_migrate.engine.visible import words
from neuron_migrate.engine.visible.reader import Reader
from neuron_migrate.engine.visible.values import INTEGERS, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    import libcst as cst

    from neuron_migrate.engine.here import Here

__all__ = ["Kind", "Value", "is_made_by", "is_visibly", "value_of"]

_ARRAYS = frozenset({"numpy", "pandas", "jax", "tensorflow", "cupy", "scipy", "polars"})
"""Packages whose objects are compared and indexed as tensors are."""
Kind = Literal["text", "integer-tensor", "cuda-source", "device-count"]


def is_visibly(kind: Kind, node: cst.BaseExpression, here: Here) -> bool:
    """True when the expression is certainly of this kind."""
    if kind == "integer-tensor":
        value = value_of(node, here, trusting=True)
        return value is not None and value.is_tensor and value.is_one_of(INTEGERS)
    expression = _parsed(node, here)
    return expression is not None and words.CHECKS[kind](expression, here.scope, 0)


def value_of(node: cst.BaseExpression, here: Here, *, trusting: bool = False) -> Value | None:
    """The tensor or number that the expression visibly is, or None.

    ``trusting``: it stands where only a tensor may stand.
    """
    expression = _parsed(node, here)
    if expression is None:
        return None
    trusting = trusting or here.file.roots.isdisjoint(_ARRAYS)
    reader = Reader(here.file, here.inner_names(node), trusting=trusting)
    return reader.read(expression, here.piece.statement)


def is_made_by(methods: Iterable[str], node: cst.BaseExpression, here: Here) -> bool:
    """True when the last call that gives the expression is one of the methods or functions."""
    expression = _parsed(node, here)
    return expression is not None and words.is_made_by(methods, expression, here.scope)


def _parsed(node: cst.BaseExpression, here: Here) -> ast.expr | None:
    try:
        return ast.parse(here.source(node).strip(), mode="eval").body
    except SyntaxError:
        return None
