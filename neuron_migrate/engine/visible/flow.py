"""Which of a name's assignments a statement can see."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.index import Binding, Statement

_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def reaching(bindings: Sequence[Binding], at: Statement) -> Sequence[Binding]:
    """The bindings whose value a read at a statement may find; all of them in doubt."""
    if not bindings or bindings[0].scope is not at.scope:
        return bindings
    certain = [each for each in bindings if _precedes_certainly(each, at)]
    if not certain:
        return bindings
    last = max(certain, key=lambda each: each.statement.start)
    rounds = [outer for outer in at.ancestors() if isinstance(outer.node, _LOOPS)]
    again = [loop for loop in rounds if loop not in last.statement.ancestors()]
    return [last, *(each for each in bindings if _may_follow(each, last, at, again))]


def _precedes_certainly(binding: Binding, at: Statement) -> bool:
    """True when the binding is always made, before the statement, in the same function."""
    made = binding.statement
    if binding.kind == "parameter":
        return True
    if isinstance(made.node, ast.AugAssign) or not made.start < at.start:
        return False
    return any(made in inner.siblings for inner in (at, *at.ancestors()))


def _may_follow(binding: Binding, last: Binding, at: Statement, again: Sequence[Statement]) -> bool:
    """True for a binding that may come between: later, or in an earlier round of a loop."""
    if binding is last:
        return False
    made = binding.statement
    between = last.statement.start < made.start < at.start
    return between or any(loop in made.ancestors() for loop in again)
