"""Edits of statements as a whole: put under a test, or taken out of a ``with`` block."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from neuron_migrate.engine.moved_arguments import MisfitError
from neuron_migrate.engine.pieces import extent
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Statement


def under(file: File, statement: Statement, test: str, *, whole: bool) -> list[Edit]:
    """The edits that put a statement under a test; with ``whole`` all of its lines move.

    Raises MisfitError when other code stands on its line.
    """
    node = statement.node
    start, end = extent(node, file.lines)
    indentation = _indentation(file, statement)
    rest = file.text[end : file.lines.next_line(_last_line(node))].strip()
    if rest and not rest.startswith("#"):
        raise MisfitError("other code stands on the same line")
    unit = _unit(file)
    header = f"if {test}:{file.lines.newline}{indentation}{unit}"
    if not whole or _spans_lines(node):
        return [Edit(start, start, header)]
    lines = range(statement.start[0] + 1, _last_line(node) + 1)
    places = [place for place in (file.lines.offset(line, 1) for line in lines) if place < end]
    return [
        Edit(start, start, header),
        *(Edit(place, place, unit) for place in places if file.text[place] not in "\r\n"),
    ]


def unwrapped(file: File, statement: Statement) -> list[Edit]:
    """The edits that leave the body of a ``with`` statement in its place.

    Raises MisfitError when its lines cannot be moved to the left as they are.
    """
    node = statement.node
    if not isinstance(node, ast.With) or len(node.items) > 1 or node.items[0].optional_vars:
        raise MisfitError("it is not all that the `with` statement holds")
    outer = _indentation(file, statement)
    start, body = extent(node, file.lines)[0], extent(node.body[0], file.lines)[0]
    header_line = node.items[0].context_expr.end_lineno or node.lineno
    if _first_line(node.body[0]) == header_line:
        return [Edit(start, body, "")]
    header_end = file.lines.next_line(header_line)
    if not file.text[start:header_end].rstrip().endswith(":"):
        raise MisfitError("removing the line would lose a comment")
    if any(_spans_lines(each) for each in node.body):
        raise MisfitError("a string in the block goes over several lines")
    inner = file.text[file.lines.offset(node.body[0].lineno, 1) : body]
    places = (file.lines.offset(line, 1) for line in range(header_line + 1, _last_line(node) + 1))
    moved = [
        Edit(place, place + len(inner) - len(outer), "")
        for place in places
        if file.text.startswith(inner, place)
    ]
    return [Edit(file.lines.offset(statement.start[0], 1), header_end, ""), *moved]


def _indentation(file: File, statement: Statement) -> str:
    """What stands before a statement on its line.

    Raises MisfitError when that is code.
    """
    line = file.lines.offset(statement.start[0], 1)
    before = file.text[line : extent(statement.node, file.lines)[0]]
    if before.strip():
        raise MisfitError("other code stands on the same line")
    return before


def _spans_lines(node: ast.AST) -> bool:
    """True when a string literal in it goes over several lines, whose text would change."""
    return any(
        each.lineno != each.end_lineno
        for each in ast.walk(node)
        if isinstance(each, ast.JoinedStr)
        or (isinstance(each, ast.Constant) and isinstance(each.value, (str, bytes)))
    )


def _unit(file: File) -> str:
    """One level of indentation, as the file has it."""
    for each in file.index.statements:
        if each.parent is not None and each.parent.parent is None:
            line = file.lines.offset(each.start[0], 1)
            before = file.text[line : extent(each.node, file.lines)[0]]
            if before and not before.strip():
                return before
    return "    "


def _first_line(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", None)
    return decorators[0].lineno if decorators else node.lineno


def _last_line(node: ast.AST) -> int:
    return getattr(node, "end_lineno", None) or 0
