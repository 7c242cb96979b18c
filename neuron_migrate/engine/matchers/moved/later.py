"""Arguments that the calls of an object take now, and no longer what makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import arguments, edits, literals, names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.pieces import Piece
    from neuron_migrate.finding import Edit


def given_to_calls(
    made_by: cst.Call, given: Mapping[str, cst.BaseExpression], here: Here
) -> list[Edit] | None:
    """The edits that give the arguments to every call of what ``made_by`` makes.

    None when not every call is seen, or a value is no literal.
    """
    if not all(literals.is_literal(here.source(value)) for value in given.values()):
        return None
    calls = _calls(made_by, here)
    if not calls:
        return None
    found: list[Edit] = []
    for piece, call in calls:
        if arguments.has_splat(call) or arguments.positional(call, 1) is not None:
            return None
        args = list(call.args)
        for name, value in given.items():
            if arguments.keyword(call, name) is None:
                args = arguments.add(args, name, value, call)
        found += edits.node_edits(piece, call, call.with_changes(args=args))
    return found


def _calls(made_by: cst.Call, here: Here) -> list[tuple[Piece, cst.Call]] | None:
    """The calls of the variable that the object is assigned to; None when it goes elsewhere too."""
    parent = here.parent(made_by)
    if not isinstance(parent, cst.Assign) or len(parent.targets) > 1:
        return None
    target = parent.targets[0].target
    bindings = names.lookup(target.value, here.scope) if isinstance(target, cst.Name) else []
    if len(bindings) != 1:
        return None
    uses = list(here.file.uses(bindings[0].name, bindings[0].scope))
    calls = list(_called(uses))
    attributes = [
        node for piece, node in uses if isinstance(piece.parents.get(node), cst.Attribute)
    ]
    return calls if len(calls) + len(attributes) == len(uses) else None


def _called(uses: list[tuple[Piece, cst.Name]]) -> Iterator[tuple[Piece, cst.Call]]:
    for piece, node in uses:
        parent = piece.parents.get(node)
        if isinstance(parent, cst.Call) and parent.func is node:
            yield piece, parent
