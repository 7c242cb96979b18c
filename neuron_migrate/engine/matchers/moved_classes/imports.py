"""The import statement of model classes that moved to another package."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.matchers.moved_classes.uses import MovedClass

_NO_COMMA = cst.MaybeSentinel.DEFAULT


def moved_import(classes: Sequence[MovedClass]) -> tuple[cst.ImportFrom, list[Edit]]:
    """The statement without the classes, and the lines that import what takes their place."""
    first = classes[0]
    moved = {each.alias: _new_alias(each) for each in classes}
    modules = {each.home.rpartition(".")[0] for each in classes}
    aliases = first.node.names
    assert not isinstance(aliases, cst.ImportStar)
    if len(moved) == len(aliases) and len(modules) == 1:
        module = cst.parse_expression(modules.pop())
        renamed = [moved[alias] for alias in aliases]
        return first.node.with_changes(module=module, names=renamed), []
    kept = [alias for alias in aliases if alias not in moved]
    lines: list[str] = []
    for module_name in sorted(modules):
        wanted = [
            first.here.source(moved[each.alias].with_changes(comma=_NO_COMMA))
            for each in classes
            if each.home.rpartition(".")[0] == module_name
        ]
        lines.append(f"from {module_name} import {', '.join(wanted)}")
    if not kept:
        return _several_modules(first, lines)
    kept[-1] = kept[-1].with_changes(comma=aliases[-1].comma)
    return first.node.with_changes(names=kept), [_line_after(first.here, line) for line in lines]


def _several_modules(first: MovedClass, lines: list[str]) -> tuple[cst.ImportFrom, list[Edit]]:
    """All names part, to more than one module: the statement becomes the first of the lines."""
    statement = cst.parse_statement(lines[0])
    assert isinstance(statement, cst.SimpleStatementLine)
    new = statement.body[0]
    assert isinstance(new, cst.ImportFrom)
    return new, [_line_after(first.here, line) for line in lines[1:]]


def _new_alias(each: MovedClass) -> cst.ImportAlias:
    return each.alias.with_changes(name=cst.Name(each.home.rpartition(".")[2]))


def _line_after(here: Here, line: str) -> Edit:
    file, statement = here.file, here.piece.statement
    place = file.lines.next_line(getattr(statement.node, "end_lineno", statement.start[0]))
    start = file.lines.offset(statement.start[0], 1)
    indentation = file.text[start : here.piece.start]
    return Edit(place, place, f"{indentation}{line}{file.lines.newline}")
