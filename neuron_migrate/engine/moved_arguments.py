"""The arguments of a call, made to fit what is called instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import arguments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.patterns import NameEntry
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit


class MisfitError(Exception):
    """The arguments do not fit: the text says why."""


def fitted(entry: NameEntry, call: cst.Call, here: Here) -> tuple[list[cst.Arg], list[Edit]]:
    """The arguments for the replacement, and the import edits that they need.

    Raises MisfitError when it cannot be seen what the call is given.
    """
    if not (entry.parameters or entry.supplies or entry.discards):
        return list(call.args), []
    if arguments.has_splat(call):
        raise MisfitError("`**` or `*` may hold any of its arguments")
    if entry.discards:
        return [], []
    args = [_named(arg, place, entry.parameters) for place, arg in enumerate(call.args)]
    needed: list[Edit] = []
    for name, source in entry.supplies.items():
        if arguments.keyword(call.with_changes(args=args), name) is None:
            value, imports = here.build(source)
            args = arguments.add(args, name, value, call)
            needed += imports
    return args, needed


def like(made: cst.BaseExpression, call: cst.Call) -> cst.BaseExpression:
    """A call made from a template, laid out as the one it replaces."""
    if not isinstance(made, cst.Call):
        return made
    added = len(made.args) - len(call.args)
    comma = arguments.separator(call)
    args = [
        arg.with_changes(comma=comma) if place < added and arg.keyword is None else arg
        for place, arg in enumerate(made.args)
    ]
    return call.with_changes(func=made.func, args=args, lpar=made.lpar, rpar=made.rpar)


def partial_of(node: cst.CSTNode, here: Here) -> cst.Call | None:
    """The call of ``functools.partial`` that a function is handed to."""
    arg = here.parent(node)
    call = here.parent(arg) if isinstance(arg, cst.Arg) else None
    if not isinstance(call, cst.Call) or call.args[0] is not arg:
        return None
    return call if here.path(call.func) == "functools.partial" else None


def _named(arg: cst.Arg, place: int, parameters: Sequence[str]) -> cst.Arg:
    if arg.keyword is not None or not parameters:
        return arg
    if place >= len(parameters):
        raise MisfitError("it is given more arguments than it takes")
    blank = cst.SimpleWhitespace("")
    return arg.with_changes(
        keyword=cst.Name(parameters[place]), equal=cst.AssignEqual(blank, blank)
    )
