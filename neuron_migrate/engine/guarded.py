"""Which code runs only when a test holds: under it, beside it, or under a name that keeps it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names
from neuron_migrate.engine.arguments import last_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Statement
    from neuron_migrate.engine.pieces import Piece

_LEAVES = (ast.Return, ast.Continue, ast.Break)
_PARTS_OF_A_TEST = (
    cst.Comparison,
    cst.ComparisonTarget,
    cst.UnaryOperation,
    cst.Call,
    cst.Attribute,
)
_SKIPS = frozenset({"skip", "skipif", "skipIf", "skipUnless"})


def stretches(file: File, piece: Piece, test: cst.CSTNode) -> Iterator[tuple[int, int]]:
    """The stretches of text that run only when the device is there."""
    positive = True
    child = test
    for parent in piece.ancestors(test):
        if isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Not):
            positive = not positive
        elif isinstance(parent, cst.Comparison):
            positive = positive and not _negated(parent)
        elif isinstance(parent, cst.BooleanOperation) and child is parent.left:
            if positive == isinstance(parent.operator, cst.And):
                yield piece.span(parent.right)
        elif isinstance(parent, cst.IfExp) and child is parent.test:
            yield piece.span(parent.body if positive else parent.orelse)
            return
        child = parent
    yield from _under(file, piece.statement, positive=positive)


def stored(file: File, piece: Piece, test: cst.CSTNode) -> Iterator[tuple[int, int]]:
    """The stretches under conditions that ask the name or attribute which keeps the test."""
    for parent in piece.ancestors(test):
        if isinstance(parent, cst.IfExp):
            return
        if isinstance(parent, cst.Assign):
            for target in parent.targets:
                kept_by = _part(target.target, parent.value, piece, test)
                for there, use in _uses(file, piece, kept_by):
                    yield from stretches(file, there, use)


def beside(piece: Piece, test: cst.CSTNode) -> str:
    """What is asked together with a test, and what is said when it fails."""
    parts: list[str] = []
    code = piece.module.code_for_node
    child = test
    for parent in piece.ancestors(test):
        if isinstance(parent, cst.BooleanOperation) and isinstance(parent.operator, cst.And):
            parts.append(code(parent.left if child is parent.right else parent.right))
        elif isinstance(parent, cst.Assert) and parent.msg is not None:
            parts.append(code(parent.msg))
        elif isinstance(parent, cst.Call) and last_name(parent.func) in _SKIPS:
            parts += [code(arg) for arg in parent.args if arg is not child]
        child = parent
    node = piece.statement.node
    if isinstance(node, ast.If) and len(node.body) == 1 and isinstance(node.body[0], ast.Raise):
        parts.append(ast.unparse(node.body[0]))
    return " ".join(parts)


def conjunction(piece: Piece, test: cst.CSTNode) -> cst.CSTNode | None:
    """The outermost ``and``/``or`` that a test is part of."""
    found: cst.CSTNode | None = None
    for parent in piece.ancestors(test):
        if isinstance(parent, cst.BooleanOperation):
            found = parent
        elif not isinstance(parent, _PARTS_OF_A_TEST):
            return found
    return found


def _uses(
    file: File, piece: Piece, target: cst.BaseExpression
) -> Iterator[tuple[Piece, cst.CSTNode]]:
    if isinstance(target, cst.Name):
        bindings = names.lookup(target.value, piece.statement.scope)
        if bindings:
            yield from file.uses(target.value, bindings[0].scope)
    elif isinstance(target, cst.Attribute):
        yield from file.reads(target.attr.value)


def _part(
    target: cst.BaseExpression, value: cst.BaseExpression, piece: Piece, test: cst.CSTNode
) -> cst.BaseExpression:
    """Of ``a, b = x, test`` the target that gets the test; the whole one where that is unclear."""
    if not isinstance(target, (cst.Tuple, cst.List)) or not isinstance(value, cst.Tuple):
        return target
    around = {id(test), *(id(outer) for outer in piece.ancestors(test))}
    place = next((i for i, each in enumerate(value.elements) if id(each) in around), None)
    if place is None:
        return target
    from_end = place - len(value.elements)
    if not _has_star(value.elements[:place]) and not _has_star(target.elements[: place + 1]):
        found = target.elements[place : place + 1]
    elif not _has_star(value.elements[place:]) and not _has_star(target.elements[from_end:]):
        found = target.elements[from_end:][:1]
    else:
        found = ()
    return found[0].value if found else target


def _has_star(elements: Sequence[cst.BaseElement]) -> bool:
    return any(isinstance(each, cst.StarredElement) for each in elements)


def _negated(comparison: cst.Comparison) -> bool:
    kinds = (cst.NotEqual, cst.NotIn, cst.IsNot)
    return any(isinstance(target.operator, kinds) for target in comparison.comparisons)


def _under(file: File, statement: Statement, *, positive: bool) -> Iterator[tuple[int, int]]:
    node = statement.node
    if isinstance(node, ast.match_case):
        yield _extent(file, node.body)
    if not isinstance(node, (ast.If, ast.While)):
        return
    if positive:
        yield _extent(file, node.body)
        return
    if node.orelse:
        yield _extent(file, node.orelse)
    # After `if not …: raise` the program needs the device: there is no way around what follows.
    if isinstance(node.body[-1], _LEAVES):
        place = next(i for i, each in enumerate(statement.siblings) if each is statement)
        after = [each.node for each in statement.siblings[place + 1 :]]
        if after and isinstance(statement.scope.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield _extent(file, [each for each in after if isinstance(each, ast.stmt)])


def _extent(file: File, block: Sequence[ast.stmt]) -> tuple[int, int]:
    first, last = block[0], block[-1]
    start = file.lines.byte_offset(first.lineno, first.col_offset)
    end_line, end_column = last.end_lineno or last.lineno, last.end_col_offset or 0
    return start, file.lines.byte_offset(end_line, end_column)
