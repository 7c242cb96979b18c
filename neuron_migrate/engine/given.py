"""Conditions on the arguments of a call, as a rule file writes them: ``backend='eager'``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine import arguments, literals

if TYPE_CHECKING:
    from collections.abc import Iterable

    import libcst as cst

    from neuron_migrate.engine.here import Here

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
    if wanted in {"literal", "computed"}:
        return known == (wanted == "literal")
    if literals.is_literal(wanted):
        return known and literals.normal(source) == literals.normal(wanted)
    return fnmatchcase(source, wanted) or fnmatchcase(here.path(value), wanted)


@cache
def _parse(text: str) -> _Condition:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise ValueError(f"not a condition on an argument: {text!r}")
    absent, name, position, value = found.groups()
    return _Condition(bool(absent), name, int(position) if position else None, value)
