"""Where a file gets its modules from, and where a new import goes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from neuron_migrate.engine import names
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.index import Index, Scope, Statement


def local_root(module: str, scope: Scope) -> str | None:
    """The name under which ``scope`` can reach a top-level module, if it imported it."""
    current: Scope | None = scope
    while current is not None:
        for name, bindings in current.bindings.items():
            if any(binding.target == module for binding in bindings):
                found = names.resolve(name, scope)
                if found is not None and found.path == module:
                    return name
        current = current.parent
    return None


def insertion(index: Index, text: str, line: str) -> Edit:
    """The edit that adds an import line: after the first run of plain imports, or on top."""
    imports = list(_leading_imports(index))
    plain = [each for each in imports if isinstance(each.node, ast.Import)]
    if plain:
        place = _line_end(index, text, _first_run(plain, imports)[-1])
        return _new_line(index, text, place, line)
    if imports:
        return _new_line(index, text, index.lines.offset(imports[0].start[0], 1), line)
    return _on_top(index, text, line)


def call_after_imports(
    index: Index, text: str, module: str, call: str, before: int | None
) -> list[Edit]:
    """The edits that add the statement ``module.call`` after the leading imports.

    Only imports above line ``before`` count; the module is imported where it was not by then.
    """
    newline = index.lines.newline
    imports = _leading_imports(index)
    above = [each for each in imports if before is None or _last_line(each) < before]
    place = _line_end(index, text, above[-1]) if above else _on_top(index, text, "").start
    first, last = (newline, "") if above else ("", newline)
    local = _imported_above(index, module, place)
    line = f"{local or module}.{call}{newline}"
    if local is not None:
        return [Edit(place, place, f"{first}{line}{last}")]
    added = insertion(index, text, f"import {module}")
    if added.start < place:
        return [added, Edit(place, place, f"{first}{line}{last}")]
    return [Edit(place, place, f"import {module}{newline}{newline}{line}{last}")]


def _imported_above(index: Index, module: str, place: int) -> str | None:
    """The name of a module that is imported unconditionally before an offset."""
    for name, bindings in index.module.bindings.items():
        if any(each.target != module or each.statement.parent is not None for each in bindings):
            continue
        if index.lines.offset(bindings[0].statement.start[0], 1) < place:
            return name
    return None


def _on_top(index: Index, text: str, line: str) -> Edit:
    """Before the first statement that is neither the docstring nor a ``__future__`` import."""
    last: Statement | None = None
    for position, statement in enumerate(index.statements):
        if statement.parent is None and not _must_come_first(statement, position):
            return _new_line(index, text, _above_comments(index, text, statement.start[0]), line)
        last = statement
    return _new_line(index, text, _line_end(index, text, last) if last else 0, line)


def _new_line(index: Index, text: str, place: int, line: str) -> Edit:
    """A line where one starts, or after the last one, which may have no end."""
    newline = index.lines.newline
    if text and place == len(text) and not text.endswith(("\n", "\r")):
        return Edit(place, place, f"{newline}{line}")
    return Edit(place, place, f"{line}{newline}")


def _above_comments(index: Index, text: str, line: int) -> int:
    """Where a line starts, or the comments right above it; the comments that open a file stay."""
    first = line
    while first > 1 and text.startswith("#", index.lines.offset(first - 1, 1)):
        first -= 1
    return index.lines.offset(line if first == 1 else first, 1)


def _leading_imports(index: Index) -> Iterator[Statement]:
    """The module-level imports, up to the first definition."""
    for statement in index.statements:
        if statement.parent is not None:
            continue
        node = statement.node
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if not _is_future(node):
                yield statement
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            return


def _first_run(plain: list[Statement], imports: list[Statement]) -> list[Statement]:
    """The plain imports that follow each other without another kind between them."""
    start = imports.index(plain[0])
    run: list[Statement] = []
    for statement in imports[start:]:
        if not isinstance(statement.node, ast.Import):
            break
        run.append(statement)
    return run


def _line_end(index: Index, text: str, statement: Statement) -> int:
    """The offset after the line a statement ends on."""
    return index.lines.next_line(_last_line(statement))


def _last_line(statement: Statement) -> int:
    return getattr(statement.node, "end_lineno", None) or statement.start[0]


def _must_come_first(statement: Statement, position: int) -> bool:
    node = statement.node
    if isinstance(node, ast.ImportFrom):
        return _is_future(node)
    return position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
