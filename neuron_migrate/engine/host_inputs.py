"""Whether a file calls what a function gives, such as a wrapped model, with tensors of the host."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names, visible
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.pieces import extent
from neuron_migrate.engine.visible import flow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.index import Binding, Scope, Statement

_ROUNDS = frozenset({"enumerate", "tqdm", "trange", "iter"})
"""Functions that go through what they are given, one element after the other."""
_LOADER = "torch.utils.data.DataLoader"


def line(made: cst.Call, here: Here) -> int | None:
    """The first line that calls what ``made`` gives with a tensor that is visibly on the host."""
    found = [
        there.piece.statement.start[0]
        for call, there in _calls(made, here)
        if any(_is_on_host(arg.value, there) for arg in call.args)
    ]
    return min(found, default=None)


def _calls(made: cst.Call, here: Here) -> Iterator[tuple[cst.Call, Here]]:
    """The calls of what a call gives, by the name or attribute of ``self`` it is kept under."""
    for outer in here.ancestors(made):
        if isinstance(outer, cst.Assign):
            for each in outer.targets:
                if isinstance(each.target, cst.Name):
                    yield from _of_name(each.target.value, here)
                elif isinstance(each.target, cst.Attribute):
                    yield from _of_attribute(each.target, here)


def _of_name(name: str, here: Here) -> Iterator[tuple[cst.Call, Here]]:
    for binding in names.lookup(name, here.scope):
        if binding.statement is here.piece.statement:
            yield from _of_binding(binding, here, follow=True)


def _of_binding(binding: Binding, here: Here, *, follow: bool) -> Iterator[tuple[cst.Call, Here]]:
    """Calls of a variable while it has this value; ``follow`` it into functions of the file."""
    for piece, use in here.file.uses(binding.name, binding.scope):
        at = piece.statement
        if binding not in flow.reaching(names.lookup(use.value, at.scope), at):
            continue
        there, parent = Here(here.file, piece), piece.parents.get(use)
        if isinstance(parent, cst.Call) and parent.func is use:
            yield parent, there
        elif follow and isinstance(parent, cst.Arg):
            parameter = _parameter(parent, there)
            if parameter is not None:
                yield from _of_binding(parameter, there, follow=False)


def _of_attribute(target: cst.Attribute, here: Here) -> Iterator[tuple[cst.Call, Here]]:
    owner = _class_around(here.piece.statement)
    for piece, read in here.file.attributes(target.attr.value):
        parent = piece.parents.get(read)
        same = _class_around(piece.statement) is owner and here.source(read.value) == here.source(
            target.value
        )
        if same and isinstance(parent, cst.Call) and parent.func is read:
            yield parent, Here(here.file, piece)


def _class_around(statement: Statement) -> ast.AST | None:
    return next(
        (outer.node for outer in statement.ancestors() if isinstance(outer.node, ast.ClassDef)),
        None,
    )


def _parameter(arg: cst.Arg, here: Here) -> Binding | None:
    """The parameter of a function of the file that an argument is given to."""
    call = here.parent(arg)
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name) or arg.star:
        return None
    functions = [each.statement.node for each in names.lookup(call.func.value, here.scope)]
    if len(functions) != 1 or not isinstance(functions[0], ast.FunctionDef):
        return None
    given = functions[0].args
    taken = [each.arg for each in (*given.posonlyargs, *given.args)]
    place = call.args.index(arg)
    name = arg.keyword.value if arg.keyword else "".join(taken[place : place + 1])
    scope = _scope_of(functions[0], here)
    return next(iter(scope.bindings.get(name, ())), None) if scope else None


def _scope_of(function: ast.FunctionDef, here: Here) -> Scope | None:
    scopes = (each.scope for each in here.file.index.statements)
    return next((scope for scope in scopes if scope.node is function), None)


def _is_on_host(node: cst.BaseExpression, here: Here) -> bool:
    value = visible.value_of(node, here, trusting=True)
    if value is not None:
        return value.is_tensor and value.place == "cpu"
    return isinstance(node, cst.Name) and _is_batch(node.value, here)


def _is_batch(name: str, here: Here) -> bool:
    """True for an element of a DataLoader that its loop does not move."""
    at = here.piece.statement
    bindings = flow.reaching(names.lookup(name, at.scope), at)
    return bool(bindings) and all(_is_element(each, here) for each in bindings)


def _is_element(binding: Binding, here: Here) -> bool:
    loop = binding.statement.node
    if not isinstance(loop, ast.For):
        return False
    rounds, target = loop.iter, loop.target
    while isinstance(rounds, ast.Call) and rounds.args and _called(rounds) in _ROUNDS:
        if _called(rounds) == "enumerate" and isinstance(target, ast.Tuple):
            target = target.elts[-1]
        rounds = rounds.args[0]
    inside = any(
        isinstance(each, ast.Name) and each.id == binding.name for each in ast.walk(target)
    )
    start, end = extent(loop, here.file.lines)
    moves = re.search(rf"\b{binding.name}\.(?:to|cuda)\(", here.file.text[start:end])
    return inside and not moves and _is_loader(rounds, binding.scope)


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _is_loader(node: ast.expr, scope: Scope) -> bool:
    """True for a name that a DataLoader is given to, or that is annotated as one."""
    if not isinstance(node, ast.Name):
        return False
    bindings = names.lookup(node.id, scope)
    made = [each.value.func for each in bindings if isinstance(each.value, ast.Call)]
    given = [*made, *(each.annotation for each in bindings if each.annotation is not None)]
    paths = [names.resolve_expression(each, scope) for each in given]
    return len(paths) == len(bindings) > 0 and all(path == _LOADER for path in paths)
