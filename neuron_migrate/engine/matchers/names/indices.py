"""The number of a device, where code gives a device in one form or another."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names
from neuron_migrate.engine.arguments import last_name

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Scope

_NUMBERED = re.compile(r"(^|_)(i|j|idx|index|ids?|rank|gpus?|num|number)\d*$", re.IGNORECASE)
_NUMBERS = frozenset({"get_device", "current_device", "current_device_index", "int"})


def number(node: cst.BaseExpression, here: Here) -> cst.BaseExpression | None:
    """The expression as the number of a device, or None when nothing says that it is one."""
    if _is_device(node, here):
        return cst.Attribute(value=node, attr=cst.Name("index"))
    return node if _is_number(node) else None


def _is_number(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Integer):
        return True
    if isinstance(node, cst.BinaryOperation):
        return _is_number(node.left) or _is_number(node.right)
    if isinstance(node, cst.Call):
        return last_name(node.func) in _NUMBERS
    if isinstance(node, cst.Subscript):
        return _is_number(node.value)
    name = last_name(node)
    return name == "None" or bool(_NUMBERED.search(name))


def _is_device(node: cst.BaseExpression, here: Here) -> bool:
    """True for a tensor's ``.device`` and for a name that only ever holds a ``torch.device``."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == "device" and not _is_options(node.value)
    if not isinstance(node, cst.Name):
        return False
    bindings = names.lookup(node.value, here.scope)
    return bool(bindings) and all(_makes_device(each.value, each.scope) for each in bindings)


def _makes_device(value: ast.expr | None, scope: Scope) -> bool:
    return (
        isinstance(value, ast.Call)
        and names.resolve_expression(value.func, scope) == "torch.device"
    )


def _is_options(node: cst.BaseExpression) -> bool:
    """True for objects whose ``device`` is what a user typed, such as ``args``."""
    return last_name(node) in {
        "self",
        "args",
        "opt",
        "cfg",
        "config",
        "options",
        "params",
        "hparams",
    }
