"""Dtypes where they decide in what precision something is computed."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import DtypeMatch
from neuron_migrate.engine import conditions, data_code, receivers
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here

_CASTS = frozenset({"to", "type"})
_ON_CPU = frozenset({"cpu", "numpy", "from_numpy"})
_TO_CPU = frozenset({"cpu", "numpy", "tolist", "item"})
_ELSEWHERE = ("numpy.", "pandas.", "jax.", "tensorflow.", "cupy.", "torch.finfo", "torch.iinfo")
_OWN_RULES = frozenset({"autocast", "custom_fwd"})


class _Use(Enum):
    COMPUTES = "computes"
    """A tensor gets the dtype here."""
    NAMED = "named"
    """Something that says dtype is given it; where it is used does not show."""


class Dtypes:
    """Matches rules of kind ``dtype``."""

    nodes = (cst.Attribute, cst.Name, cst.Call)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.dtypes: dict[str, list[Rule]] = {}
        self.methods: dict[str, list[Rule]] = {}
        for rule in rules:
            assert isinstance(rule.match, DtypeMatch)
            for path in rule.match.dtypes:
                self.dtypes.setdefault(path, []).append(rule)
            for method in rule.match.methods:
                self.methods.setdefault(method.removeprefix("."), []).append(rule)

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a dtype that is given to something, or a method that converts to it."""
        if isinstance(node, cst.Call):
            self._conversion(node, here)
            return
        if isinstance(here.parent(node), cst.Attribute):
            return
        rules = self.dtypes.get(here.path(node), ())
        use = _use(node, here) if rules else None
        for rule in rules if use else ():
            self._report(rule, node, here, advice=use is _Use.NAMED)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _conversion(self, call: cst.Call, here: Here) -> None:
        func = call.func
        if not isinstance(func, cst.Attribute) or call.args:
            return
        rules = self.methods.get(func.attr.value, ())
        if not rules or not receivers.handles_tensors(here.file):
            return
        if receivers.doubt(func.value, func.attr.value, here) or here.path(func):
            return
        if _stays_on_cpu(func.value) or _leaves_for_cpu(call, here):
            return
        for rule in rules:
            self._report(rule, func.attr, here, advice=False)

    def _report(self, rule: Rule, node: cst.CSTNode, here: Here, *, advice: bool) -> None:
        assert isinstance(rule.match, DtypeMatch)
        if data_code.prepares_data(here):
            return
        if rule.match.guarded and not conditions.under_device_test(here, node):
            return
        draft = here.report(rule, node)
        draft.advice = draft.advice or advice
        draft.cuda_only = rule.match.cuda_only


def _use(node: cst.CSTNode, here: Here) -> _Use | None:
    """How a dtype is used, or None where it is only named, compared or looked up."""
    child = node
    for parent in here.ancestors(node):
        if isinstance(parent, cst.Arg):
            call = here.parent(parent)
            return _argument(call, parent, here) if isinstance(call, cst.Call) else None
        if isinstance(parent, cst.IfExp) and child is not parent.test:
            child = parent
            continue
        if isinstance(parent, cst.Param):
            return _Use.NAMED if child is parent.default else None
        if isinstance(parent, cst.AnnAssign):
            return _Use.NAMED if child is parent.value else None
        return _Use.NAMED if isinstance(parent, (cst.Assign, cst.Return)) else None
    return None


def _argument(call: cst.Call, arg: cst.Arg, here: Here) -> _Use | None:
    path, leaf = here.path(call.func), last_name(call.func)
    if path.startswith(_ELSEWHERE) or leaf in _OWN_RULES or _is_on_cpu(call):
        return None
    keyword = arg.keyword.value if arg.keyword else ""
    if not keyword:
        if isinstance(call.func, cst.Attribute) and leaf in _CASTS:
            quiet = _stays_on_cpu(call.func.value) or _leaves_for_cpu(call, here)
            return None if quiet else _Use.COMPUTES
        return _Use.COMPUTES if path == "torch.set_default_dtype" else None
    if keyword not in {"dtype", "torch_dtype"}:
        return _Use.NAMED if keyword.endswith("dtype") else None
    if isinstance(call.func, cst.Attribute) and _stays_on_cpu(call.func.value):
        return None
    if path.startswith("torch.") and leaf.islower() and not _has_device(call):
        return _Use.NAMED
    return _Use.COMPUTES


def _has_device(call: cst.Call) -> bool:
    return any(arg.keyword is not None and arg.keyword.value == "device" for arg in call.args)


def _is_on_cpu(call: cst.Call) -> bool:
    """True when the call itself names the CPU."""
    return any(_names_cpu(arg.value) for arg in call.args)


def _names_cpu(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call) and last_name(node.func) == "device" and node.args:
        node = node.args[0].value
    return string_value(node) == "cpu"


def _stays_on_cpu(receiver: cst.BaseExpression) -> bool:
    """True when a link of the call chain has just put the tensor on the CPU."""
    node = receiver
    while isinstance(node, (cst.Call, cst.Attribute)):
        if isinstance(node, cst.Call):
            if last_name(node.func) in _ON_CPU or _is_on_cpu(node):
                return True
            node = node.func
        else:
            node = node.value
    return False


def _leaves_for_cpu(call: cst.Call, here: Here) -> bool:
    """True when the next link of the call chain takes the tensor to the CPU."""
    outer = here.parent(call)
    return isinstance(outer, cst.Attribute) and outer.attr.value in _TO_CPU
