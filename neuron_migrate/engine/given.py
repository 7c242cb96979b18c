"""Conditions on the arguments of a call, as a rule file writes them: ``backend='eager'``."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable

    import libcst as cst

    from neuron_migrate.engine.context import Here

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
    known, literal = _literal(source)
    if wanted in {"literal", "computed"}:
        return known == (wanted == "literal")
    is_literal, expected = _literal(wanted)
    if is_literal:
        return known and (type(literal), literal) == (type(expected), expected)
    return fnmatchcase(source, wanted) or fnmatchcase(here.path(value), wanted)


@lru_cache(maxsize=None)
def _parse(text: str) -> _Condition:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise ValueError(f"not a condition on an argument: {text!r}")
    absent, name, position, value = found.groups()
    return _Condition(bool(absent), name, int(position) if position else None, value)


def _literal(source: str) -> tuple[bool, object]:
    try:
        return True, ast.literal_eval(source)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False, None
