"""Taking a whole statement out of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine import edits
from neuron_migrate.engine.pieces import extent
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Statement


def fill_in(file: File) -> None:
    """Give the edits to every finding whose fix removes a statement."""
    removing = [draft for draft in file.drafts if draft.removes is not None and draft.fix]
    for draft in removing:
        assert draft.removes is not None
        gone = [other.removes for other in removing if other.removes is not None]
        draft.edits.append(_edit(file, draft.removes, gone))
        if has_comment(file, draft.removes):
            draft.fix = "unsafe"
            draft.not_fixed = "removing the line would lose a comment"


def taken_out(file: File, statement: Statement) -> Edit:
    """The edit that takes out one statement, and no other of its block."""
    return _edit(file, statement, [statement])


def _edit(file: File, statement: Statement, gone: Sequence[Statement]) -> Edit:
    start, end = extent(statement.node, file.lines)
    line_start = file.lines.offset(statement.start[0], 1)
    node = statement.node
    line_end = file.lines.next_line(getattr(node, "end_lineno", statement.start[0]))
    alone = not file.text[line_start:start].strip() and not _code_after(file, end, line_end)
    if not alone or _empties_block(statement, gone):
        return Edit(start, end, "pass")
    return Edit(line_start, line_end, "")


def _empties_block(statement: Statement, gone: Sequence[Statement]) -> bool:
    """True for the first statement of a block that loses all it has."""
    if statement.parent is None:
        return False
    block = list(statement.siblings)
    left = [each for each in block if not any(each is other for other in gone)]
    return not left and block[0] is statement


def _code_after(file: File, end: int, line_end: int) -> bool:
    rest = file.text[end:line_end].strip()
    return bool(rest) and not rest.startswith("#")


def has_comment(file: File, statement: Statement) -> bool:
    """True when a comment stands in a statement or on the line it ends on."""
    _, end = extent(statement.node, file.lines)
    line_end = file.lines.next_line(getattr(statement.node, "end_lineno", statement.start[0]))
    inside = any(edits.loses_comment(piece.module, None) for piece in file.pieces(statement))
    return inside or "#" in file.text[end:line_end]
