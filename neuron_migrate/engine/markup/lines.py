"""Lines of a document, and what is left of them when what they stand in is taken off."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.files.lines import LINE_END

if TYPE_CHECKING:
    from collections.abc import Sequence

_BLANKS = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Line:
    """The part of a line of a document that is code, or that may hold some."""

    start: int
    """Where that part begins in the document."""
    text: str
    """Without the line end."""
    end: str
    """The line end; empty at the end of a document that lacks one."""
    margin: str = ""
    """What stands before it: indentation, the marks of a quote, a prompt."""

    def cut(self, length: int) -> Line:
        """The line without its first characters."""
        margin = self.margin + self.text[:length]
        return Line(self.start + length, self.text[length:], self.end, margin)

    @property
    def first(self) -> int:
        """Where the line begins in the document."""
        return self.start - len(self.margin)

    @property
    def last(self) -> int:
        """Where the next one does."""
        return self.start + len(self.text) + len(self.end)

    @property
    def indent(self) -> int:
        """How many blanks it begins with."""
        match = _BLANKS.match(self.text)
        return match.end() if match else 0

    @property
    def is_blank(self) -> bool:
        """Whether it says nothing."""
        return not self.text.strip()


def lines_of(text: str) -> list[Line]:
    """The lines of a document."""
    found, start = [], 0
    for match in LINE_END.finditer(text):
        found.append(Line(start, text[start : match.start()], match[0]))
        start = match.end()
    return [*found, Line(start, text[start:], "")] if start < len(text) else found


def dedented(lines: Sequence[Line]) -> list[Line]:
    """Lines without the indentation that they have in common."""
    margins = [each.text[: each.indent] for each in lines if not each.is_blank]
    shared = min(margins, key=len, default="")
    while not all(each.startswith(shared) for each in margins):
        shared = shared[:-1]
    return [each.cut(min(len(shared), each.indent)) for each in lines]


def trimmed(lines: Sequence[Line]) -> Sequence[Line]:
    """Lines without the blank ones around them."""
    spoken = [number for number, each in enumerate(lines) if not each.is_blank]
    return lines[spoken[0] : spoken[-1] + 1] if spoken else []
