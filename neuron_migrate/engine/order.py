"""Which of two statements runs after the other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Statement


def follows(later: Statement, earlier: Statement) -> bool:
    """True when ``later`` runs after ``earlier`` in one call of the same function."""
    if later.scope is not earlier.scope or later.start <= earlier.start:
        return False
    branches = {id(outer): block for outer, block in _blocks(earlier)}
    return all(
        branches.get(id(outer), block) == block
        for outer, block in _blocks(later)
        if isinstance(outer.node, (ast.If, ast.Match))
    )


def _blocks(statement: Statement) -> list[tuple[Statement, str]]:
    """The enclosing statements and which of their blocks the statement stands in."""
    found: list[tuple[Statement, str]] = []
    inner = statement
    for outer in statement.ancestors():
        found.append((outer, inner.block))
        inner = outer
    return found
