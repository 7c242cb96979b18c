"""Where code names an environment variable: set, asked for, or handed to another process."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from neuron_migrate.engine.here import Here

_ENVIRONMENT = re.compile(r"(^|_)(env|environ|environment|envs)($|_|\d)", re.IGNORECASE)
_READERS = frozenset({"get", "getenv", "pop", "unsetenv", "delenv"})
_WRITERS = frozenset({"setdefault", "putenv", "setenv"})
_DICT_METHODS = frozenset({"get", "pop", "setdefault"})


@dataclass(frozen=True, slots=True)
class Site:
    """One place that names a variable."""

    name: str
    key: cst.CSTNode
    """The literal or keyword that names it."""
    value: cst.BaseExpression | None = None
    """What it is set to, or the default of a look-up."""
    sets: bool = False
    assignment: cst.Assign | None = None
    """The statement, where it is a plain assignment to one target."""


def named(node: cst.CSTNode, known: AbstractSet[str], here: Here) -> Site | None:
    """The use of a variable that a string literal names."""
    assert isinstance(node, cst.SimpleString)
    name = string_value(node)
    if name is None or name not in known:
        return None
    parent = here.parent(node)
    if isinstance(parent, cst.Index):
        return _subscript(name, node, here)
    if isinstance(parent, cst.Arg):
        call = here.parent(parent)
        return _argument(name, node, parent, call, here) if isinstance(call, cst.Call) else None
    if isinstance(parent, cst.DictElement) and parent.key is node:
        handed_on = _is_environment_dict(parent, here)
        return Site(name, node, parent.value, sets=True) if handed_on else None
    if isinstance(parent, cst.Comparison) and parent.left is node:
        others = [target.comparator for target in parent.comparisons]
        return Site(name, node) if any(_is_environment(each, here) for each in others) else None
    return None


def _subscript(name: str, node: cst.SimpleString, here: Here) -> Site | None:
    """``os.environ[name]``, read or set."""
    element = here.parent(here.parent(node) or node)
    whole = here.parent(element) if element is not None else None
    if not isinstance(whole, cst.Subscript) or not _is_environment(whole.value, here):
        return None
    target = here.parent(whole)
    if not isinstance(target, cst.AssignTarget):
        return Site(name, node)
    statement = here.parent(target)
    assert isinstance(statement, cst.Assign)
    single = statement if len(statement.targets) == 1 else None
    return Site(name, node, statement.value, sets=True, assignment=single)


def _argument(
    name: str, node: cst.SimpleString, arg: cst.Arg, call: cst.Call, here: Here
) -> Site | None:
    """``os.getenv(name)``, ``env.setdefault(name, value)``, ``monkeypatch.setenv(name, value)``."""
    function = last_name(call.func)
    if arg is not call.args[0] or function not in _READERS | _WRITERS:
        return None
    is_dict_method = isinstance(call.func, cst.Attribute) and function in _DICT_METHODS
    if is_dict_method and not _is_environment(call.func.value, here):  # type: ignore[attr-defined]
        return None
    value = call.args[1].value if len(call.args) > 1 else None
    return Site(name, node, value, sets=function in _WRITERS)


def keyword(node: cst.Arg, here: Here) -> Site | None:
    """``dict(os.environ, NAME=value)`` and ``os.environ.update(NAME=value)``."""
    call = here.parent(node)
    if node.keyword is None or not isinstance(call, cst.Call):
        return None
    func = call.func
    if last_name(func) == "dict" or (
        isinstance(func, cst.Attribute) and _is_environment(func.value, here)
    ):
        return Site(node.keyword.value, node.keyword, node.value, sets=True)
    return None


def _is_environment_dict(element: cst.DictElement, here: Here) -> bool:
    """True for a dict that is an environment by its name, its place or what it starts from."""
    whole = here.parent(element)
    if not isinstance(whole, cst.Dict):
        return False
    if any(
        isinstance(each, cst.StarredDictElement) and _is_environment(each.value, here)
        for each in whole.elements
    ):
        return True
    outer = here.parent(whole)
    if isinstance(outer, cst.Arg):
        if outer.keyword is not None:
            return _ENVIRONMENT.search(outer.keyword.value) is not None
        call = here.parent(outer)
        func = call.func if isinstance(call, cst.Call) else None
        return isinstance(func, cst.Attribute) and (
            _is_environment(func.value, here)
            or any(_is_environment(arg.value, here) for arg in call.args)  # type: ignore[union-attr]
        )
    if isinstance(outer, cst.Assign):
        return any(_ENVIRONMENT.search(last_name(each.target)) for each in outer.targets)
    return isinstance(outer, cst.AnnAssign) and bool(_ENVIRONMENT.search(last_name(outer.target)))


def _is_environment(node: cst.BaseExpression, here: Here) -> bool:
    return here.path(node) == "os.environ" or _ENVIRONMENT.search(last_name(node)) is not None
