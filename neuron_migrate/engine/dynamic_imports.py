"""Modules that a call imports by name, such as ``importlib.import_module("apex")``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.fallbacks import Fallback

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here

_AT_ONCE = frozenset({"import_module", "__import__"})
_WITHOUT = re.compile(
    r"import_?or_?skip|import_?or_?none|(lazy|optional|try|maybe|safe)_?(import|load(er)?|module)"
    r"|(lazy|optional)\w*",
    re.IGNORECASE,
)
_MODULE = re.compile(r"[A-Za-z_]\w*(\.\w+)*")


def imported(call: cst.Call) -> list[str]:
    """The modules that a call may import, if it is one that does."""
    name = last_name(call.func)
    if name not in _AT_ONCE and not _WITHOUT.fullmatch(name):
        return []
    values = [each.value for each in call.args if _is_module(each)]
    return [value.raw_value for value in values if isinstance(value, cst.SimpleString)]


def own_fallback(call: cst.Call, here: Here) -> Fallback | None:
    """How the program survives by what the call does, or by the expression that it stands in."""
    name = last_name(call.func)
    if name not in _AT_ONCE:
        skips = name.lower().replace("_", "").endswith("skip")
        return Fallback("one that skips the test" if skips else f"left to `{name}`", True)
    if any(isinstance(each, (cst.IfExp, cst.BooleanOperation)) for each in here.ancestors(call)):
        return Fallback("under a condition of its own", False, option=True)
    if any(isinstance(each, cst.Lambda) for each in here.ancestors(call)):
        return Fallback("made only when the lambda runs", False)
    return None


def _is_module(arg: cst.Arg) -> bool:
    value = arg.value
    named = arg.keyword is None or arg.keyword.value in {"name", "module_name", "modname"}
    return (
        named and isinstance(value, cst.SimpleString) and bool(_MODULE.fullmatch(value.raw_value))
    )
