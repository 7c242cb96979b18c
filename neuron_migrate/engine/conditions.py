"""Conditions that ask whether a device is there, and the code that runs only under them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, TypeGuard

import libcst as cst

from neuron_migrate.engine.pieces import extent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement

_ASKS = re.compile(
    r"(?:\b(?:cuda|accelerator|neuron)\.|(?<![\w.]))is_available\(|is_accelerator_available|==\s*f?['\"]cuda"
)
_DENIES = re.compile(r"\bnot\b|!=")


def asks(test: str) -> bool:
    """True when a condition, given as text, asks whether an accelerator is there, or not there."""
    return _ASKS.search(test) is not None


def under_device_test(here: Here, node: cst.CSTNode) -> bool:
    """True when a node only runs after a test that an accelerator is there."""
    child = node
    for parent in here.ancestors(node):
        if (
            isinstance(parent, cst.IfExp)
            and child is parent.body
            and _asks(here.source(parent.test))
        ):
            return True
        if _is_and_before(parent, child) and _asks(here.source(parent.left)):
            return True
        child = parent
    return _statement_guarded(here.file, here.piece.statement)


def _is_and_before(parent: cst.CSTNode, child: cst.CSTNode) -> TypeGuard[cst.BooleanOperation]:
    return (
        isinstance(parent, cst.BooleanOperation)
        and child is parent.right
        and isinstance(parent.operator, cst.And)
    )


def _statement_guarded(file: File, statement: Statement) -> bool:
    inner = statement
    for outer in [*statement.ancestors(), None]:
        if any(_leaves(file, earlier) for earlier in _before(inner)):
            return True
        if outer is None:
            return False
        conditional = isinstance(outer.node, (ast.If, ast.While)) and inner.block == "body"
        if conditional and _asks(_test(file, outer)):
            return True
        inner = outer
    return False


def _before(statement: Statement) -> Iterator[Statement]:
    for sibling in statement.siblings:
        if sibling is statement:
            return
        yield sibling


def _leaves(file: File, statement: Statement) -> bool:
    """``if not torch.cuda.is_available(): return`` guards what follows."""
    node = statement.node
    if not isinstance(node, ast.If) or node.orelse:
        return False
    last = node.body[-1]
    if not isinstance(last, (ast.Return, ast.Raise, ast.Continue)):
        return False
    test = _test(file, statement)
    return bool(_ASKS.search(test) and _DENIES.search(test))


def _test(file: File, statement: Statement) -> str:
    node = statement.node
    assert isinstance(node, (ast.If, ast.While))
    start, end = extent(node.test, file.lines)
    return file.text[start:end]


def _asks(test: str) -> bool:
    return bool(_ASKS.search(test)) and not _DENIES.search(test) and " or " not in test
