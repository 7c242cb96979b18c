"""Small pieces of plain text that the formatters share."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 80
"""Columns of a report that may end up in a log file."""

TOP = 10
"""How many entries a list may have before the rest is only counted."""

_CONTROLS = {code: repr(chr(code))[1:-1] for code in (*range(32), *range(127, 160))} | {
    code: f"\\u{code:04x}"
    for code in (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
}


def one_line(text: str) -> str:
    """The text with control characters spelled out, so that it cannot break or forge a line."""
    return text.translate(_CONTROLS)


def counted(number: int, noun: str, plural: str = "") -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def paragraph(text: str, *, first: str = "", rest: str = "", width: int = WIDTH) -> list[str]:
    """The text wrapped into lines, never breaking a word (a path, a URL, a command) apart."""
    return textwrap.wrap(
        one_line(" ".join(text.split())),
        width=width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]


def item(text: str) -> list[str]:
    """A wrapped list item."""
    return paragraph(text, first="  * ", rest="    ")


def section(title: str, lines: list[str]) -> list[str]:
    """The lines under their title; nothing when there are none."""
    return [title, *lines] if lines else []


def more(number: int) -> list[str]:
    """What stands for the entries that are not listed."""
    return [f"  ... and {number - TOP} more"] if number > TOP else []


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Aligned columns: the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    return [_row(row, widths) for row in (header, *rows)]


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    head, *others = zip(cells, widths, strict=True)
    columns = [head[0].ljust(head[1]), *(cell.rjust(width) for cell, width in others)]
    return ("  " + "  ".join(columns)).rstrip()
