"""Conditions on the arguments of a call, as a rule file writes them: ``backend='eager'``."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine import arguments, constants, literals, names

if TYPE_CHECKING:
    from collections.abc import Iterable

    import libcst as cst

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Scope

_MAX_HOPS = 4

_CONDITION = re.compile(r"(!?)(\w+)(?::(\d+))?(?:=(.*))?", re.DOTALL)


class _Condition(NamedTuple):
    absent: bool
    name: str
    position: int | None
    value: str | None


def any_holds(conditions: Iterable[str], call: cst.Call, here: Here, shift: int = 0) -> bool:
    """True when one of the conditions holds; positions count from argument ``shift``."""
    return any(_holds(_parse(text), call, here, shift) for text in conditions)


def _holds(condition: _Condition, call: cst.Call, here: Here, shift: int) -> bool:
    position = None if condition.position is None else condition.position + shift
    found = arguments.find(call, condition.name, position)
    if condition.absent or found is None:
        return condition.absent and found is None
    return condition.value is None or _is(condition.value, found.value, here)


def _is(wanted: str, value: cst.BaseExpression, here: Here) -> bool:
    source = here.source(value)
    known = literals.is_literal(source)
    if wanted == "written":
        return known or _is_written(source, here)
    if wanted == "number":
        return constants.integer(value, here) is not None
    if wanted in {"literal", "computed"}:
        return known == (wanted == "literal")
    if literals.is_literal(wanted):
        return known and literals.normal(source) == literals.normal(wanted)
    return fnmatchcase(source, wanted) or fnmatchcase(here.path(value), wanted)


def _is_written(source: str, here: Here) -> bool:
    """True for literals and for names that the file gives literals and nothing else."""
    try:
        return _all_written(ast.parse(source.strip(), mode="eval").body, here.scope, 0)
    except SyntaxError:
        return False


def _all_written(node: ast.expr, scope: Scope, hops: int) -> bool:
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_all_written(each, scope, hops) for each in node.elts)
    if isinstance(node, ast.Dict):
        parts = [*node.keys, *node.values]
        return all(each is not None and _all_written(each, scope, hops) for each in parts)
    if not isinstance(node, ast.Name) or hops >= _MAX_HOPS:
        return literals.is_literal(ast.unparse(node))
    bindings = names.lookup(node.id, scope)
    return bool(bindings) and all(
        each.kind == "assign"
        and each.value is not None
        and _all_written(each.value, each.scope, hops + 1)
        for each in bindings
    )


@cache
def _parse(text: str) -> _Condition:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise ValueError(f"not a condition on an argument: {text!r}")
    absent, name, position, value = found.groups()
    return _Condition(bool(absent), name, int(position) if position else None, value)
