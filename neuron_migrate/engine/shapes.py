"""How many input shapes a place can make, as far as its arguments are written out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import arguments, constants, given
from neuron_migrate.finding import BUCKET, Shapes

if TYPE_CHECKING:
    from neuron_migrate.catalog.shapes import ShapeCount
    from neuron_migrate.engine.here import Here

_LONGEST = 1 << 17
"""Lengths that a larger number allows are bounded by something else, the data or the model."""


def count(wanted: ShapeCount, node: cst.CSTNode, here: Here) -> Shapes:
    """The number of shapes that the call at or around a node makes."""
    if wanted.always is not None:
        return Shapes(at_most=wanted.always, in_buckets=wanted.always, per=wanted.per)
    call = _call(node, here)
    if call is None:
        return Shapes(per=wanted.per)
    shift = 1 if here.path(call.func).endswith("functools.partial") else 0
    if wanted.given and not given.any_holds(wanted.given, call, here, shift):
        return Shapes(per=wanted.per)
    longest = next((found for name in wanted.at_most if (found := _find(name, call, shift))), None)
    if longest is None:
        return Shapes(per=wanted.per)
    step = _find(wanted.step, call, shift) if wanted.step else None
    return of_lengths(
        constants.integer(longest.value, here),
        step=1 if step is None else constants.integer(step.value, here) or 1,
        per=wanted.per,
    )


def of_lengths(longest: int | None, *, step: int = 1, per: str = "") -> Shapes:
    """The shapes of lengths up to the longest, rounded up to multiples of ``step``."""
    if longest is None or not 1 <= longest <= _LONGEST or step < 1:
        return Shapes(per=per)
    return Shapes(
        at_most=_ceiling(longest, step), in_buckets=_ceiling(longest, max(step, BUCKET)), per=per
    )


def _ceiling(number: int, step: int) -> int:
    return -(-number // step)


def _find(argument: str, call: cst.Call, shift: int) -> cst.Arg | None:
    name, _, position = argument.partition(":")
    return arguments.find(call, name, int(position) + shift if position else None)


def _call(node: cst.CSTNode, here: Here) -> cst.Call | None:
    return next(
        (each for each in (node, *here.ancestors(node)) if isinstance(each, cst.Call)), None
    )
