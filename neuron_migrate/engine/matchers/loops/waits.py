"""What makes a program wait for the device."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import data_code, visible
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.matchers.loops.bodies import own_text, within
from neuron_migrate.engine.pieces import extent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.patterns import LoopMatch
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Statement


def waits(loop: Statement, pattern: LoopMatch, file: File) -> Iterator[tuple[Here, cst.CSTNode]]:
    """What waits for the device in each round of a loop, and where."""
    names = "|".join((*pattern.methods, *pattern.functions, *pattern.tests))
    words = re.compile(rf"\b(?:{names})\(")
    for statement in within(loop, file):
        waits = words.search(own_text(statement, file))
        if not waits or _is_seldom(statement, loop, pattern, file):
            continue
        for piece in file.pieces(statement):
            here = Here(file, piece)
            if data_code.prepares_data(here):
                return
            for node in piece.nodes:
                if isinstance(node, cst.Call) and _waits_here(node, pattern, here):
                    yield here, node.func


def _is_seldom(statement: Statement, loop: Statement, pattern: LoopMatch, file: File) -> bool:
    """True under a condition that most rounds of the loop do not meet, such as ``step % 100``."""
    inner = statement
    for outer in statement.ancestors():
        if outer is loop:
            return False
        if isinstance(outer.node, ast.If) and inner.block == "body":
            start, end = extent(outer.node.test, file.lines)
            if re.search(pattern.seldom, file.text[start:end]):
                return True
        inner = outer
    return False


def _waits_here(call: cst.Call, pattern: LoopMatch, here: Here) -> bool:
    func = call.func
    if last_name(func) in pattern.tests:
        return _is_condition(call, here)
    if isinstance(func, cst.Attribute):
        if func.attr.value not in pattern.methods or here.path(func):
            return False
        return "cpu" not in here.source(func.value) and not _waits_inside(func.value, pattern)
    if last_name(func) not in pattern.functions or not call.args:
        return False
    return any(_is_tensor(arg.value, pattern, here) for arg in call.args)


def _is_condition(call: cst.Call, here: Here) -> bool:
    """True for a tensor that an ``if``, ``while`` or ``assert`` makes a truth value of."""
    child: cst.CSTNode = call
    for parent in here.ancestors(call):
        if isinstance(parent, (cst.If, cst.While, cst.Assert)):
            value = visible.value_of(call, here)
            return parent.test is child and value is not None and value.place != "cpu"
        if not isinstance(parent, (cst.UnaryOperation, cst.BooleanOperation)):
            return False
        child = parent
    return False


def _waits_inside(receiver: cst.BaseExpression, pattern: LoopMatch) -> bool:
    """Of ``x.cpu().numpy()`` only the first one waits."""
    node = receiver
    while isinstance(node, (cst.Call, cst.Attribute, cst.Subscript)):
        if isinstance(node, cst.Call):
            if last_name(node.func) in pattern.methods:
                return True
            node = node.func
        else:
            node = node.value
    return False


def _is_tensor(node: cst.BaseExpression, pattern: LoopMatch, here: Here) -> bool:
    if not isinstance(node, (cst.Name, cst.Attribute)):
        return False
    value = visible.value_of(node, here)
    if value is not None:
        return value.is_tensor and value.place != "cpu"
    return re.search(pattern.values, last_name(node)) is not None
