"""The unified diff of one file, in bytes, as ``git apply`` reads it."""

from __future__ import annotations

import difflib
import os
import re
from typing import TYPE_CHECKING

from neuron_migrate.report import ansi
from neuron_migrate.report.layout import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_QUOTED = re.compile(rb'[\x00-\x1f"\\\x7f-\xff]')
_ESCAPES = {7: b"a", 8: b"b", 9: b"t", 10: b"n", 11: b"v", 12: b"f", 13: b"r", 34: b'"', 92: b"\\"}
_IN_HUNKS = {b"", b" ", b"\\"}
"""How other lines begin that are no headings."""
_COLORS = {b"+": ansi.GREEN, b"-": ansi.RED, b"@": ansi.CYAN}


def unified(path: str, before: bytes, after: bytes) -> bytes:
    """The diff between two states of a file; empty when they are the same."""
    if before == after:
        return b""
    return b"".join((*_header(path), *_hunks(_lines(before), _lines(after))))


def hunks(before: str, after: str) -> bytes:
    """The diff between two texts without the lines that name the file."""
    if before == after:
        return b""
    return b"".join(_hunks(_lines(_bytes(before)), _lines(_bytes(after))))


def by_cell(path: str, before: Mapping[int, str], after: Mapping[int, str]) -> bytes:
    """The diffs between the code of each cell of a notebook in two states, by its number."""
    parts: list[bytes] = []
    for number, code in before.items():
        old, new = _code_lines(code), _code_lines(after.get(number, ""))
        if old != new:
            parts.append(_bytes(f"{one_line(path)}, cell {number}\n"))
            parts += _hunks(old, new)
    return b"".join(parts)


def colored(diff: bytes) -> bytes:
    """The diff with terminal colours."""
    return b"\n".join(_colored(line) for line in diff.split(b"\n"))


def _header(path: str) -> Iterator[bytes]:
    """The file lines; the first one makes git take an emptied file for a change, not a deletion."""
    name = os.fsencode(path.replace(os.sep, "/").lstrip("/"))
    old, new = _name(b"a/" + name), _name(b"b/" + name)
    # Without a quote git ends a name with blanks at the tab.
    end = b"\t\n" if b" " in name and not old.startswith(b'"') else b"\n"
    yield b"diff --git " + old + b" " + new + b"\n"
    yield b"--- " + old + end
    yield b"+++ " + new + end


def _name(name: bytes) -> bytes:
    if not _QUOTED.search(name):
        return name
    return b'"' + _QUOTED.sub(lambda match: _escape(match[0][0]), name) + b'"'


def _escape(byte: int) -> bytes:
    return b"\\" + _ESCAPES.get(byte, b"%03o" % byte)


def _lines(content: bytes) -> list[bytes]:
    """Lines end at a line feed and nowhere else: git knows no other line end."""
    lines = content.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _code_lines(code: str) -> list[bytes]:
    """The lines of a cell, whose last one has no end as a rule."""
    return _lines(_bytes(f"{code}\n" if code and not code.endswith("\n") else code))


def _hunks(before: list[bytes], after: list[bytes]) -> Iterator[bytes]:
    generated = difflib.diff_bytes(difflib.unified_diff, before, after, lineterm=b"\n")
    next(generated)
    next(generated)
    for line in generated:
        yield line
        if not line.endswith(b"\n"):
            yield b"\n\\ No newline at end of file\n"


def _colored(line: bytes) -> bytes:
    if line.startswith((b"diff --git ", b"--- a/", b'--- "a/', b"+++ b/", b'+++ "b/')):
        return b"\x1b[%sm%s\x1b[0m" % (ansi.BOLD.encode(), line)
    style = _COLORS.get(line[:1]) or (ansi.BOLD if line[:1] not in _IN_HUNKS else "")
    return b"\x1b[%sm%s\x1b[0m" % (style.encode(), line) if style else line
