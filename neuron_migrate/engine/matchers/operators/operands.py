"""The operands of an operator: which they are, and which of them makes a rule hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import arguments, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.patterns import OperatorMatch
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.visible import Value

_SHOWN = 40
"""The longest operand that a message quotes."""


def of_call(pattern: OperatorMatch, call: cst.Call, path: str) -> Iterator[cst.BaseExpression]:
    """The arguments that the rule names; the object of a method takes the first place."""
    shift = 0 if path else 1
    for each in pattern.operands:
        name, _, position = each.partition(":")
        place = int(position) - shift
        if place < 0:
            assert isinstance(call.func, cst.Attribute)
            yield call.func.value
            continue
        found = arguments.find(call, name, place)
        if found is not None and not found.star:
            yield found.value


def indices(node: cst.Subscript) -> Iterator[cst.BaseExpression]:
    """The parts of an index, slices left out."""
    for element in node.slice:
        if isinstance(element.slice, cst.Index):
            yield element.slice.value


def which(
    pattern: OperatorMatch,
    node: cst.CSTNode,
    operands: list[cst.BaseExpression],
    values: list[Value | None],
    here: Here,
) -> int | None:
    """Which operand makes the rule hold, or None when none does."""
    if pattern.made_by:
        made = (index for index, each in enumerate(operands) if _is_made(each, pattern, here))
        return next(made, None)
    if not pattern.dtypes:
        return 0 if isinstance(node, cst.Call) else None
    for place in _places(pattern, node, len(operands)):
        value = values[place]
        if value is not None and value.is_one_of(pattern.dtypes):
            others = [other for index, other in enumerate(values) if index != place]
            if not pattern.beside or all(_fits(other, pattern) for other in others):
                return place
    return None


def _places(pattern: OperatorMatch, node: cst.CSTNode, count: int) -> Iterator[int]:
    """The operands that the rule names; every index counts as the second one."""
    named = {int(each.rpartition(":")[2]) for each in pattern.operands}
    for place in range(count):
        if isinstance(node, cst.Call) or min(place, 1) in named:
            yield place


def _fits(value: Value | None, pattern: OperatorMatch) -> bool:
    if value is None:
        return False
    return value.is_one_of(pattern.beside) or ("tensor" in pattern.beside and value.is_tensor)


def _is_made(node: cst.BaseExpression, pattern: OperatorMatch, here: Here) -> bool:
    """True when the last call of the chain is one of the methods, also through a name."""
    return visible.is_made_by(pattern.made_by, node, here)


def told(operand: cst.CSTNode, value: Value | None, here: Here) -> str:
    """What the operand is, where that makes the rule hold."""
    if value is None or not value.is_tensor:
        return ""
    source = " ".join(here.source(operand).split())
    shown = f"`{source}`" if len(source) <= _SHOWN else "The operand"
    return f"{shown} is {' or '.join(sorted(value.dtypes))}."
