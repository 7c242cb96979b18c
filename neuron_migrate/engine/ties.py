"""Fixes that say the same in two places: a device that is named here and compared there."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.draft import tie

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File


def tie_values_to_comparisons(file: File) -> None:
    """A value that a name is given, and the comparisons of that name, change together."""
    compared = [(draft, name) for draft in file.drafts for name in _compared(draft)]
    wanted = {name for _, name in compared}
    given: dict[str, list[Draft]] = {}
    for draft in file.drafts if wanted else ():
        for name in _given(draft) & wanted:
            given.setdefault(name, []).append(draft)
    for draft, name in compared:
        tie(draft, *given.get(name, ()))


def _compared(draft: Draft) -> Iterator[str]:
    """The names that a fixed literal is compared with."""
    if draft.test is None or draft.fix is None:
        return
    piece, node = draft.test
    around = piece.parents.get(node)
    while isinstance(around, cst.ComparisonTarget):
        around = piece.parents.get(around)
    if isinstance(around, cst.Comparison):
        for side in (around.left, *(each.comparator for each in around.comparisons)):
            if side is not node and isinstance(side, (cst.Name, cst.Attribute)):
                yield last_name(side)


def _given(draft: Draft) -> set[str]:
    """The names that the statement of a fixed literal gives a value; options of a parser too."""
    if draft.fix is None or draft.test is not None:
        return set()
    node = draft.statement.node
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return {_last(target) for target in targets} - {""}
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        strings = [each.value for each in node.value.args if isinstance(each, ast.Constant)]
        names = (each for each in strings if isinstance(each, str) and each.startswith("-"))
        return {name.lstrip("-").replace("-", "_") for name in names}
    return set()


def _last(target: ast.expr) -> str:
    if isinstance(target, ast.Attribute):
        return target.attr
    return target.id if isinstance(target, ast.Name) else ""
