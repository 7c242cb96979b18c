"""Whether a program needs what has no Neuron path, where it uses it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.fallbacks import HOST_ERRORS, fallback
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.fallbacks import Fallback
    from neuron_migrate.engine.here import Here


def weigh(draft: Draft, node: cst.CSTNode, here: Here) -> None:
    """A use blocks nothing where the program can do without, by its place or by its import."""
    if isinstance(node, (cst.ImportFrom, cst.ImportAlias)):
        return
    place = fallback(here.piece.statement)
    imported = _of_import(node, here)
    if imported is not None or _goes_on(place):
        draft.blocked = False
    if _goes_on(place) or (_goes_on(imported) and _is_definition(here)):
        draft.risk = Risk.INFO
        found = place if _goes_on(place) else imported
        draft.not_fixed = f"it is {found.how}" if found is not None else None


def is_caught(here: Here) -> bool:
    """True where the program goes on although the host lacks what the statement asks for."""
    return _goes_on(fallback(here.piece.statement, errors=HOST_ERRORS))


def _of_import(node: cst.CSTNode, here: Here) -> Fallback | None:
    """How the program survives without the import that the node is reached by."""
    if isinstance(node, cst.Call):
        node = node.func
    found = here.resolve(node)
    if found is None or found.binding is None or found.binding.kind != "import":
        return None
    return fallback(found.binding.statement)


def _goes_on(found: Fallback | None) -> bool:
    return found is not None and (found.certain or found.option)


def _is_definition(here: Here) -> bool:
    """True for what only defines something, such as a decorated kernel."""
    return isinstance(here.piece.statement.node, (ast.FunctionDef, ast.ClassDef))
