"""``x.cuda()`` on tensors and modules, and ``x.is_cuda``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import MethodMatch, PropertyMatch
from neuron_migrate.engine import arguments, receivers, templates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit, Safety


class Methods:
    """Matches rules of kind ``cuda-method``."""

    nodes = (cst.Call,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = {}
        for rule in rules:
            assert isinstance(rule.match, MethodMatch)
            self.rules[rule.match.method] = (rule, rule.match)

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a call of the method."""
        assert isinstance(node, cst.Call)
        func = node.func
        if not isinstance(func, cst.Attribute) or func.attr.value not in self.rules:
            return
        if not receivers.handles_tensors(here.file) or receivers.is_module(func.value, here):
            return
        rule, pattern = self.rules[func.attr.value]
        reason = receivers.doubt(func.value, pattern.method, here)
        if reason is None and _moves_storage(node, here):
            reason = "a storage has no such method: give `map_location` a device instead"
        if reason is not None:
            here.report(rule, func.attr, not_fixed=reason)
            return
        new, needed, safety = _moved(node, func, pattern, here)
        here.report(rule, func.attr, changes=[(node, new)], extra=needed, safety=safety)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


class Properties:
    """Matches rules of kind ``property``."""

    nodes = (cst.Attribute,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = {}
        for rule in rules:
            assert isinstance(rule.match, PropertyMatch)
            self.rules[rule.match.attribute] = (rule, rule.match)

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a read of the property."""
        assert isinstance(node, cst.Attribute)
        if node.attr.value not in self.rules or not receivers.handles_tensors(here.file):
            return
        parent = here.parent(node)
        if isinstance(parent, (cst.AssignTarget, cst.Del)) or here.resolve(node) is not None:
            return
        rule, pattern = self.rules[node.attr.value]
        if pattern.attribute in here.file.index.attributes:
            here.report(
                rule, node.attr, not_fixed=f"the file defines its own `{pattern.attribute}`"
            )
            return
        if isinstance(parent, cst.Call) and parent.func is node:
            here.report(rule, node.attr, not_fixed="it is called, so it is not a tensor's property")
            return
        template = pattern.neuron if here.target == "neuron" else pattern.accelerator
        new, needed = here.build(template, nodes={"self": node.value})
        new = templates.parenthesize_for(new, node, parent)
        draft = here.report(rule, node.attr, changes=[(node, new)], extra=needed)
        draft.test = (here.piece, node)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _moved(
    call: cst.Call, func: cst.Attribute, pattern: MethodMatch, here: Here
) -> tuple[cst.Call, list[Edit], Safety]:
    """The call with another method, and the device it then needs as first argument."""
    device = arguments.find(call, "device", 0)
    rest = [arg for arg in call.args if arg is not device]
    index = _literal_index(device)
    neuron = here.target == "neuron"
    if any(arg.keyword is None for arg in rest) or index is None:
        method = pattern.indexed_neuron if neuron else pattern.indexed_accelerator
        safety: Safety = "safe" if neuron else pattern.indexed_accelerator_safety
        renamed = func.with_changes(attr=cst.Name(method))
        return call.with_changes(func=renamed), [], safety
    value, needed = here.build(pattern.neuron if neuron else pattern.accelerator)
    if index != "":
        value = _indexed(value, index, here)
    first = cst.Arg(value=value)
    if device is not None:
        first = device.with_changes(value=value, keyword=None, equal=cst.MaybeSentinel.DEFAULT)
    elif rest:
        first = first.with_changes(comma=cst.Comma(whitespace_after=cst.SimpleWhitespace(" ")))
    renamed = func.with_changes(attr=cst.Name("to"))
    return call.with_changes(func=renamed, args=[first, *rest]), needed, "safe"


def _moves_storage(call: cst.Call, here: Here) -> bool:
    """True in ``map_location=lambda storage, location: storage.cuda()``."""
    inside = False
    for parent in here.ancestors(call):
        inside = inside or isinstance(parent, cst.Lambda)
        if isinstance(parent, cst.Arg):
            named = parent.keyword is not None and parent.keyword.value == "map_location"
            outer = here.parent(parent)
            loads = isinstance(outer, cst.Call) and here.path(outer.func) == "torch.load"
            return inside and (named or loads)
    return False


def _literal_index(device: cst.Arg | None) -> str | None:
    """The index of a literal device, "" when there is none, None when it is not a literal."""
    if device is None:
        return ""
    if device.star:
        return None
    node = device.value
    if isinstance(node, cst.Name) and node.value == "None":
        return ""
    if isinstance(node, cst.Integer):
        return node.value
    if isinstance(node, cst.SimpleString):
        name, _, index = str(ast.literal_eval(node.value)).partition(":")
        return index if name == "cuda" else None
    return None


def _indexed(value: cst.BaseExpression, index: str, here: Here) -> cst.BaseExpression:
    """The device with an index: ``"neuron:0"``, ``torch.device(…, 0)``."""
    if isinstance(value, cst.SimpleString):
        return value.with_changes(value=f"{value.quote}{value.raw_value}:{index}{value.quote}")
    quote = here.quote
    return cst.parse_expression(f"f{quote}{{{here.source(value)}.type}}:{index}{quote}")
