"""Loops, and the statements that run in each of their rounds."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.pieces import extent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.patterns import LoopMatch
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def innermost(statement: Statement) -> Statement | None:
    """The loop that a statement is run in, in the same function."""
    for outer in statement.ancestors():
        if isinstance(outer.node, _SCOPES):
            return None
        if isinstance(outer.node, _LOOPS):
            return outer
    return None


def evaluating(here: Here, pattern: LoopMatch) -> Iterator[Statement]:
    """Loops that call a model: under the block or the decorator, or around it."""
    block, file = here.piece.statement, here.file
    if not isinstance(block.node, (ast.With, ast.FunctionDef)):
        return
    around = innermost(block) if isinstance(block.node, ast.With) else None
    inside = [each for each in within(block, file) if isinstance(each.node, _LOOPS)]
    for loop in [*inside, *([around] if around else [])]:
        # Of loops in each other, the one whose own statements call the model counts.
        if any(
            innermost(each) is loop and re.search(pattern.models, own_text(each, file))
            for each in within(loop, file)
        ):
            yield loop


def within(outer: Statement, file: File) -> Iterator[Statement]:
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


def own_text(statement: Statement, file: File) -> str:
    """The text of a statement; of a compound one only what stands before its block."""
    start, end = extent(statement.node, file.lines)
    body = getattr(statement.node, "body", None)
    if isinstance(body, list) and body:
        end = min(end, extent(body[0], file.lines)[0])
    return file.text[start:end]
