"""Reads of a tensor's value in loops that train or evaluate: each of them waits for the device."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import LoopMatch
from neuron_migrate.engine import data_code, receivers, visible
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.pieces import extent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Statement

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Loops:
    """Matches rules of kind ``in-loop``."""

    nodes = (cst.Call, cst.Decorator)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, LoopMatch)]
        self._hot: dict[Statement, list[tuple[Rule, LoopMatch]]] = {}

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note the loop around a call that trains, and those that evaluate under a block."""
        func = node.func if isinstance(node, cst.Call) else node.decorator  # type: ignore[attr-defined]
        for rule, pattern in self.rules:
            if isinstance(func, cst.Attribute) and func.attr.value in pattern.trains:
                self._note(_innermost(here.piece.statement), rule, pattern)
            elif here.path(func) in pattern.evaluates:
                for loop in _evaluating(here, pattern):
                    self._note(loop, rule, pattern)

    def finish(self, file: File) -> None:
        """Report what waits in the loops that were found."""
        hot, self._hot = self._hot, {}
        if not receivers.handles_tensors(file):
            return
        for loop, rules in hot.items():
            for rule, pattern in rules:
                for here, node in _waits(loop, pattern, file):
                    if not _is_reported(file, here, node):
                        here.report(rule, node)

    def _note(self, loop: Statement | None, rule: Rule, pattern: LoopMatch) -> None:
        if loop is not None and (rule, pattern) not in self._hot.setdefault(loop, []):
            self._hot[loop].append((rule, pattern))


def _innermost(statement: Statement) -> Statement | None:
    """The loop that a statement is run in, in the same function."""
    for outer in statement.ancestors():
        if isinstance(outer.node, _SCOPES):
            return None
        if isinstance(outer.node, _LOOPS):
            return outer
    return None


def _evaluating(here: Here, pattern: LoopMatch) -> Iterator[Statement]:
    """Loops that call a model: under the block or the decorator, or around it."""
    block, file = here.piece.statement, here.file
    if not isinstance(block.node, (ast.With, ast.FunctionDef)):
        return
    around = _innermost(block) if isinstance(block.node, ast.With) else None
    inside = [each for each in _within(block, file) if isinstance(each.node, _LOOPS)]
    for loop in [*inside, *([around] if around else [])]:
        # Of loops in each other, the one whose own statements call the model counts.
        if any(
            _innermost(each) is loop and re.search(pattern.models, _own_text(each, file))
            for each in _within(loop, file)
        ):
            yield loop


def _within(outer: Statement, file: File) -> Iterator[Statement]:
    """The statements inside another one, nested functions and classes left out."""
    start, end = extent(outer.node, file.lines)
    for statement in file.index.statements:
        if not start < file.lines.byte_offset(*statement.start) < end:
            continue
        between = list(statement.ancestors())
        if outer in between and not any(
            isinstance(each.node, _SCOPES) for each in between[: between.index(outer)]
        ):
            yield statement


def _own_text(statement: Statement, file: File) -> str:
    """The text of a statement; of a compound one only what stands before its block."""
    start, end = extent(statement.node, file.lines)
    body = getattr(statement.node, "body", None)
    if isinstance(body, list) and body:
        end = min(end, extent(body[0], file.lines)[0])
    return file.text[start:end]


def _waits(loop: Statement, pattern: LoopMatch, file: File) -> Iterator[tuple[Here, cst.CSTNode]]:
    names = "|".join((*pattern.methods, *pattern.functions, *pattern.tests))
    words = re.compile(rf"\b(?:{names})\(")
    for statement in _within(loop, file):
        waits = words.search(_own_text(statement, file))
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


def _is_reported(file: File, here: Here, node: cst.CSTNode) -> bool:
    """True when another rule speaks about the call already."""
    start, end = here.piece.span(node)
    return any(draft.start <= start and end <= draft.end for draft in file.drafts)
