"""What a ``**name`` in a call holds, where the file shows it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding
    from neuron_migrate.engine.pieces import Piece


def held(arg: cst.Arg, here: Here) -> dict[str, ast.expr] | None:
    """The arguments in a dict that is written once and never changed, or None."""
    if arg.star != "**" or not isinstance(arg.value, cst.Name):
        return None
    bindings = names.lookup(arg.value.value, here.scope)
    if len(bindings) != 1 or not _is_only_read(bindings[0], here):
        return None
    return _items(bindings[0].value)


def _items(value: ast.expr | None) -> dict[str, ast.expr] | None:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and not value.args:
        given = {each.arg: each.value for each in value.keywords if each.arg}
        return given if value.func.id == "dict" and len(given) == len(value.keywords) else None
    if not isinstance(value, ast.Dict):
        return None
    keys = [
        key.value
        for key in value.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()
    ]
    return dict(zip(keys, value.values, strict=True)) if len(keys) == len(value.keys) else None


def _is_only_read(binding: Binding, here: Here) -> bool:
    """True when every use of the name spreads the dict or reads a value of it."""
    uses = here.file.uses(binding.name, binding.scope)
    return binding.kind == "assign" and all(_reads(node, piece) for piece, node in uses)


def _reads(node: cst.CSTNode, piece: Piece) -> bool:
    parent = piece.parents.get(node)
    if isinstance(parent, cst.Arg):
        return parent.star == "**"
    if isinstance(parent, cst.StarredDictElement):
        return True
    changes = (cst.AssignTarget, cst.AugAssign, cst.Del, cst.AnnAssign)
    return isinstance(parent, cst.Subscript) and not isinstance(piece.parents.get(parent), changes)
