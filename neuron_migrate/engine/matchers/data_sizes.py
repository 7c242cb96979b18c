"""Sizes that the program reads from a tensor's values: every new value is a new shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import DataSizeMatch
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.here import Here

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File

_SAME = (cst.BinaryOperation, cst.UnaryOperation)
_NUMBERS = frozenset({"int", "max", "min", "round", "abs"})
_REDUCED = frozenset({"max", "sum", "amax"})


class DataSizes:
    """Matches rules of kind ``data-size``."""

    nodes = (cst.Call,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, DataSizeMatch)]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a value read from a tensor that a slice or a new tensor takes its size from."""
        assert isinstance(node, cst.Call)
        for rule, pattern in self.rules:
            if not _is_read(node, pattern) or _runs_once(pattern, here):
                continue
            line = next(_sized(node, pattern, here), None)
            if line is not None:
                here.report(rule, node, f"The size is taken in line {line}.")

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _runs_once(pattern: DataSizeMatch, here: Here) -> bool:
    return "torch" not in here.file.roots or here.scope.name in pattern.once


def _is_read(call: cst.Call, pattern: DataSizeMatch) -> bool:
    """``x.item()``, or ``int(x.max())``."""
    if isinstance(call.func, cst.Attribute):
        return call.func.attr.value in pattern.reads and not call.args
    if last_name(call.func) != "int" or len(call.args) != 1:
        return False
    inner = call.args[0].value
    return (
        isinstance(inner, cst.Call)
        and isinstance(inner.func, cst.Attribute)
        and inner.func.attr.value in _REDUCED
        and not inner.args
    )


def _sized(call: cst.Call, pattern: DataSizeMatch, here: Here) -> Iterator[int]:
    """The lines in which the value becomes a size: where it is read, or under its name."""
    value = _outermost(call, here)
    if _is_size(value, pattern, here):
        yield _line(call, here)
    parent = here.parent(value)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return
    target = parent.targets[0].target
    if not isinstance(target, cst.Name) or target.value in pattern.not_given_to:
        return
    for piece, use in here.file.uses(target.value, here.scope):
        there = Here(here.file, piece)
        if _is_size(_outermost(use, there), pattern, there):
            yield _line(use, there)


def _outermost(node: cst.CSTNode, here: Here) -> cst.CSTNode:
    """The number that a value is part of: ``int(value) + 1``."""
    parent = here.parent(node)
    while parent is not None:
        if isinstance(parent, cst.Arg):
            call = here.parent(parent)
            if not isinstance(call, cst.Call) or last_name(call.func) not in _NUMBERS:
                break
            node = call
        elif isinstance(parent, _SAME):
            node = parent
        else:
            break
        parent = here.parent(node)
    return node


def _is_size(node: cst.CSTNode, pattern: DataSizeMatch, here: Here) -> bool:
    parent = here.parent(node)
    if isinstance(parent, cst.Slice):
        return not _is_width_fixed(node, parent, here)
    if isinstance(parent, cst.Element):
        parent = here.parent(here.parent(parent) or parent)
    call = here.parent(parent) if isinstance(parent, cst.Arg) and not parent.keyword else None
    if not isinstance(call, cst.Call):
        return False
    method = f".{call.func.attr.value}" if isinstance(call.func, cst.Attribute) else ""
    return here.path(call.func) in pattern.functions or method in pattern.functions


def _is_width_fixed(node: cst.CSTNode, bounds: cst.Slice, here: Here) -> bool:
    """True for ``x[n : n + 4]``, where the value only says where the slice starts."""
    lower, upper = bounds.lower, bounds.upper
    if lower is None or not isinstance(upper, cst.BinaryOperation):
        return False
    return here.source(upper.left) == here.source(lower) and node in (lower, upper)


def _line(node: cst.CSTNode, here: Here) -> int:
    return here.file.lines.position(here.piece.span(node)[0])[0]
