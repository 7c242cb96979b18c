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
    newline = index.lines.newline
    if plain:
        place = _line_end(index, text, _first_run(plain, imports)[-1])
        return Edit(place, place, f"{line}{newline}")
    if imports:
        place = index.lines.offset(imports[0].start[0], 1)
        return Edit(place, place, f"{line}{newline}")
    return _on_top(index, text, line)


def after_imports(index: Index, text: str, line: str, before: int) -> Edit:
    """The edit that adds a statement after the leading imports that stand before line ``before``."""
    imports = [
        each for each in _leading_imports(index, every=True) if (each.node.end_lineno or 0) < before  # type: ignore[union-attr]
    ]
    if not imports:
        return _on_top(index, text, line)
    place = _line_end(index, text, imports[-1])
    newline = index.lines.newline
    return Edit(place, place, f"{newline}{line}{newline}")


def _on_top(index: Index, text: str, line: str) -> Edit:
    """Before the first statement that is neither the docstring nor a ``__future__`` import."""
    newline = index.lines.newline
    last: Statement | None = None
    for position, statement in enumerate(index.statements):
        if statement.parent is None and not _must_come_first(statement, position):
            place = index.lines.offset(statement.start[0], 1)
            return Edit(place, place, f"{line}{newline}")
        last = statement
    place = _line_end(index, text, last) if last else 0
    return Edit(place, place, f"{line}{newline}")


def _leading_imports(index: Index, *, every: bool = False) -> Iterator[Statement]:
    """The module-level imports, up to the first definition unless ``every`` one is asked for."""
    for statement in index.statements:
        if statement.parent is not None:
            continue
        node = statement.node
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if not _is_future(node):
                yield statement
        elif not every and isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
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
    line = getattr(statement.node, "end_lineno", None) or statement.start[0]
    return index.lines.next_line(line)


def _must_come_first(statement: Statement, position: int) -> bool:
    node = statement.node
    if isinstance(node, ast.ImportFrom):
        return _is_future(node)
    return position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_future(node: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"
