"""Text as MyST reads it, with nothing taken for markup but code in backticks and codes of rules."""

from __future__ import annotations

import re
import string
from typing import TYPE_CHECKING

from neuron_migrate.report.layout import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RULE = re.compile(r"\bNM\d{3}\b")
_CODE = re.compile(r"((?<!`)`[^`]+`(?!`))")
# CommonMark lets a backslash stand before any of these; commas and quotes never begin markup.
_INNOCENT = frozenset(",;'\"")
_PUNCTUATION = re.compile(f"[{re.escape(''.join(sorted(set(string.punctuation) - _INNOCENT)))}]")


def prose(text: str) -> str:
    """One paragraph: code in backticks is code, a rule's code a link, all else what it says."""
    parts = _CODE.split(one_line(" ".join(text.split())))
    return "".join(part if index % 2 else _escaped(part) for index, part in enumerate(parts))


def sentence(text: str) -> str:
    """Prose with a capital at its beginning and a full stop at its end."""
    said = prose(text[:1].upper() + text[1:])
    return said if not said or said.endswith((".", ":", "?", "!")) else f"{said}."


def paragraphs(text: str) -> str:
    """Prose that is kept apart where it has empty lines."""
    return "\n\n".join(prose(part) for part in text.strip().split("\n\n"))


def code(text: str) -> str:
    """A word of code, to the character."""
    plain = one_line(text)
    ticks = "`" * (_longest_run(plain) + 1)
    room = " " if "`" in plain else ""
    return f"{ticks}{room}{plain}{room}{ticks}" if plain.strip() else ""


def fence(text: str, language: str) -> str:
    """A block of code; what its lexer does not know is no mistake of the page."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    body = text.strip("\n")
    return f"{ticks}{{code-block}} {language}\n:force:\n\n{body}\n{ticks}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = (header, ["---"] * len(header), *(list(map(_cell, row)) for row in rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def bullets(items: Iterable[str]) -> str:
    """A list of entries that are Markdown already."""
    return "\n".join(f"* {item}" for item in items)


def page(title: str, *parts: str) -> str:
    """A page of parts that are Markdown already; empty ones are left out."""
    return "\n\n".join([f"# {title}", *filter(None, parts)]) + "\n"


def _escaped(text: str) -> str:
    return _RULE.sub(r"[\g<0>](/rules/\g<0>.md)", _PUNCTUATION.sub(r"\\\g<0>", text))


def _cell(text: str) -> str:
    """A pipe ends a cell, in code as well, unless a backslash stands before it."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
