"""Tensors that get longer in every round: joined with themselves, or with what was kept before."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import GrowthMatch
from neuron_migrate.engine import constants, names
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.matchers import rounds
from neuron_migrate.finding import Shapes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Growth:
    """Matches rules of kind ``growth``."""

    nodes = (cst.Call,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, GrowthMatch)]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a call that joins a tensor with itself in a loop, or with an earlier one."""
        assert isinstance(node, cst.Call)
        path = here.path(node.func)
        for rule, pattern in self.rules:
            if path not in pattern.functions or _is_elsewhere(node, pattern, here):
                continue
            target = _grown(node, here)
            if target is not None and rounds.grows(target, here):
                draft = here.report(rule, node.func)
                draft.shapes = _shapes(here)
            elif _earlier(node, pattern, here):
                here.report(rule, node.func)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _elements(call: cst.Call) -> list[cst.BaseExpression]:
    """What is joined, where it is written out as a list or tuple."""
    first = call.args[0].value if call.args else None
    if not isinstance(first, (cst.List, cst.Tuple)):
        return []
    return [each.value for each in first.elements]


def _grown(call: cst.Call, here: Here) -> cst.Name | cst.Attribute | None:
    """The variable or attribute that the result is given to, and that is part of it."""
    joined = {here.source(each) for each in _elements(call)}
    for outer in here.ancestors(call):
        if isinstance(outer, cst.Subscript):
            return None
        if isinstance(outer, cst.Assign):
            target = outer.targets[0].target
            if not isinstance(target, (cst.Name, cst.Attribute)) or len(joined) < 2:
                return None
            return target if here.source(target) in joined else None
    return None


def _earlier(call: cst.Call, pattern: GrowthMatch, here: Here) -> bool:
    """True when the first of two is called after what went before: ``past_key``."""
    parts = _elements(call)
    if len(parts) != 2 or here.source(parts[0]) == here.source(parts[1]):
        return False
    first = parts[0]
    while isinstance(first, cst.Subscript):
        first = first.value
    return not pattern.earlier or not set(pattern.earlier).isdisjoint(
        last_name(first).lower().split("_")
    )


def _is_elsewhere(call: cst.Call, pattern: GrowthMatch, here: Here) -> bool:
    """True when what is joined was brought to the host, here or where it got its name."""
    if not pattern.elsewhere:
        return False
    host = re.compile(rf"\.({'|'.join(pattern.elsewhere)})\(")
    return any(host.search(text) for text in _texts(call, here))


def _texts(call: cst.Call, here: Here) -> Iterator[str]:
    yield here.piece.source
    for each in _elements(call):
        if isinstance(each, cst.Name):
            for binding in names.lookup(each.value, here.scope):
                if binding.value is not None:
                    yield ast.unparse(binding.value)


def _shapes(here: Here) -> Shapes:
    """One shape for every round of a loop that counts to a number that is written out."""
    loop = rounds.loop(here.piece.statement)
    number = None
    if loop is not None and isinstance(loop.node, ast.For):
        number = constants.rounds(loop.node.iter, loop.scope)
    return Shapes(at_most=number, in_buckets=number)
