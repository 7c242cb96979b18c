"""Operators on tensors: functions, methods, symbols and indexing, by what they work on."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import OperatorMatch
from neuron_migrate.engine import data_code, given, receivers, triggers, visible
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.matchers.operators.operands import indices, of_call, told, which

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here

_SYMBOLS: dict[type[cst.BaseBinaryOp], str] = {
    cst.MatrixMultiply: "@",
    cst.RightShift: ">>",
    cst.Power: "**",
    cst.Multiply: "*",
    cst.Add: "+",
    cst.Subtract: "-",
}
_DEVICES = re.compile(r"\bdevice\b|\.(?:cuda|neuron|to)\(|\bnn\.Module\b|\bModule\)")


class Operators:
    """Matches rules of kind ``operator``."""

    nodes = (cst.Call, cst.BinaryOperation, cst.Subscript)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.by_leaf: dict[str, list[tuple[str, Rule]]] = {}
        self.patterns: list[tuple[str, Rule]] = []
        self.symbols: dict[str, list[tuple[Rule, re.Pattern[str]]]] = {}
        for rule in rules:
            pattern = _pattern(rule)
            for function in pattern.functions:
                leaf = function.rpartition(".")[2]
                if "*" in leaf:
                    self.patterns.append((function, rule))
                else:
                    self.by_leaf.setdefault(leaf, []).append((function, rule))
            for symbol in pattern.symbols:
                words = triggers.word_pattern(frozenset(rule.triggers))
                self.symbols.setdefault(symbol, []).append((rule, words))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report an operator that works on what a rule names."""
        if isinstance(node, cst.Call):
            self._call(node, here)
        elif isinstance(node, cst.BinaryOperation):
            self._symbol(_SYMBOLS.get(type(node.operator), ""), node, [node.left, node.right], here)
        elif isinstance(node, cst.Subscript):
            self._symbol("[]", node, [node.value, *indices(node)], here)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _symbol(
        self,
        symbol: str,
        node: cst.BinaryOperation | cst.Subscript,
        operands: list[cst.BaseExpression],
        here: Here,
    ) -> None:
        for rule, words in self.symbols.get(symbol, ()):
            assigned = _pattern(rule).assigned
            if assigned is not None and assigned != _is_assigned(node, here):
                continue
            # It holds what triggers the rule itself: neighbours do not make it seen.
            if words.search(here.piece.source) and words.search(here.source(node)):
                self._report(rule, node, operands, here)

    def _call(self, call: cst.Call, here: Here) -> None:
        leaf, path = last_name(call.func), here.path(call.func)
        candidates = [*self.by_leaf.get(leaf, ()), *self.patterns]
        imported = path.rpartition(".")[2]
        if imported != leaf:
            candidates += self.by_leaf.get(imported, ())
        seen: list[Rule] = []
        for function, rule in candidates:
            if rule in seen or not _is_called(function, call, path, here):
                continue
            seen.append(rule)
            pattern = _pattern(rule)
            if given.any_holds(pattern.unless, call, here):
                continue
            if pattern.given and not given.any_holds(pattern.given, call, here):
                continue
            operands = list(of_call(pattern, call, path))
            if not path and not _is_tensors(pattern, call, here):
                continue
            if self._report(rule, call, operands, here, within=bool(path)):
                return

    def _report(
        self,
        rule: Rule,
        node: cst.Call | cst.BinaryOperation | cst.Subscript,
        operands: list[cst.BaseExpression],
        here: Here,
        *,
        within: bool = False,
    ) -> bool:
        """Say so where an operand is as the rule says; ``within`` a function only tensors are."""
        pattern = _pattern(rule)
        if not receivers.handles_tensors(here.file) or data_code.prepares_data(here):
            return False
        values = [visible.value_of(each, here, trusting=within) for each in operands]
        places = {value.place for value in values if value is not None and value.is_tensor}
        if "cpu" in places:
            return False
        chosen = which(pattern, node, operands, values, here)
        if chosen is None:
            return False
        operand = operands[chosen] if operands else node
        value = values[chosen] if values and pattern.dtypes else None
        draft = here.report(rule, _anchor(node, operand, within), told(operand, value, here))
        # Without a word about devices nothing shows that it does not run on the CPU.
        if "device" not in places and not _DEVICES.search(here.file.text):
            draft.advice = True
        return True


def _pattern(rule: Rule) -> OperatorMatch:
    assert isinstance(rule.match, OperatorMatch)
    return rule.match


def _is_called(function: str, call: cst.Call, path: str, here: Here) -> bool:
    if path:
        return fnmatchcase(path, function)
    func = call.func
    if not function.startswith(".") or not isinstance(func, cst.Attribute):
        return False
    return f".{func.attr.value}" == function and not receivers.doubt(
        func.value, func.attr.value, here
    )


def _is_tensors(pattern: OperatorMatch, call: cst.Call, here: Here) -> bool:
    """False for a method of an object that is not known to be a tensor, where others have it."""
    func = call.func
    assert isinstance(func, cst.Attribute)
    if f".{func.attr.value}" not in pattern.ambiguous:
        return True
    if given.any_holds(pattern.telling, call, here):
        return True
    value = visible.value_of(func.value, here)
    return value is not None and value.is_tensor


def _anchor(node: cst.CSTNode, operand: cst.CSTNode, within: bool) -> cst.CSTNode:
    """Where the finding stands: of links in a chain, each has a place of its own."""
    if isinstance(node, cst.Subscript):
        return operand
    if not isinstance(node, cst.Call):
        return node
    func = node.func
    return func.attr if isinstance(func, cst.Attribute) and not within else func


def _is_assigned(node: cst.CSTNode, here: Here) -> bool:
    parent = here.parent(node)
    if isinstance(parent, cst.AugAssign):
        return parent.target is node
    return isinstance(parent, (cst.AssignTarget, cst.AnnAssign))
