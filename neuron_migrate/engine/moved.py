"""Whether a value comes to a device or into a model, as far as one function shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.here import Here

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOVES = frozenset({"to", "cuda", "npu", "items"})
"""Methods that move a value; over ``items()`` code goes to move one after the other."""


def to_model(call: cst.Call, here: Here) -> bool:
    """True when what the call gives is moved to a device or given to a model."""
    if _is_moved(call, here):
        return True
    return any(
        _is_moved(use, Here(here.file, piece))
        for name in _names(call, here)
        for piece, use in here.file.uses(name, here.scope)
    )


def _names(call: cst.Call, here: Here) -> Iterator[str]:
    """The variables that the value, or a part of it, is given to."""
    value, _ = _chain(call, here)
    parent = here.parent(value)
    if isinstance(parent, cst.Assign):
        for each in parent.targets:
            if isinstance(each.target, cst.Name):
                yield each.target.value


def _is_moved(node: cst.CSTNode, here: Here) -> bool:
    value, methods = _chain(node, here)
    if not _MOVES.isdisjoint(methods):
        return True
    argument = here.parent(value)
    taker = here.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(argument, cst.Arg) or not isinstance(taker, cst.Call):
        return False
    called = last_name(taker.func).lower()
    return argument.star == "**" or called == "generate" or called.endswith("model")


def _chain(node: cst.CSTNode, here: Here) -> tuple[cst.CSTNode, list[str]]:
    """The longest chain that starts with a node, and the methods called on the way."""
    methods: list[str] = []
    for outer in here.ancestors(node):
        if isinstance(outer, cst.Attribute):
            node = outer
        elif isinstance(outer, cst.Call) and outer.func is node and isinstance(node, cst.Attribute):
            methods.append(node.attr.value)
            node = outer
        elif isinstance(outer, cst.Subscript) and outer.value is node:
            node = outer
        else:
            break
    return node, methods
