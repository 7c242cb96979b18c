"""A Dockerfile cut into instructions, each of the length it has in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIRECTIVE = re.compile(r"#[ \t]*(\w+)[ \t]*=[ \t]*(\S+)")
_KEYWORD = re.compile(r"[ \t]*([^\s=\[\"']+)(?:\s|$)")
_HEREDOC = re.compile(
    r"<<-?[ \t]*(['\"]?)([A-Za-z_][\w.]*)\1(?:[ \t]+(\w+)(?=[ \t]*$))?", re.MULTILINE
)
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_TAKES_HEREDOC = frozenset({"run", "copy", "add"})


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, its comments blanked and its lines continued as a shell does it."""

    keyword: str
    code: str
    start: int
    """The place of the code in the file."""
    arguments: int
    """Where in the code they begin."""
    heredoc: tuple[int, int, int, str] | None = None
    """Where ``<<`` stands in the code, the body's place in the file, and what is to run it."""

    def inner(self, flags: re.Pattern[str]) -> Instruction | None:
        """The instruction that the arguments are."""
        skipped = flags.match(self.code, self.arguments)
        match = _KEYWORD.match(self.code, skipped.end() if skipped else self.arguments)
        if match is None:
            return None
        return Instruction(match[1], self.code, self.start, match.end(), self.heredoc)


def instructions(text: str, comments: list[Span]) -> Iterator[Instruction]:
    """The instructions of a Dockerfile; ``comments`` gets the places of its comments."""
    lines = [match for match in _LINE.finditer(text) if match[0]]
    escape = _escape(lines)
    at = 0
    while at < len(lines):
        if _is_blank(lines[at], comments):
            at += 1
            continue
        start, first = lines[at].start(), at
        parts: list[str] = []
        while at < len(lines):
            line, continues = _continued(lines[at][0], escape)
            if at > first and _is_blank(lines[at], comments):
                line, continues = " " * len(line), True
            parts.append(line)
            at += 1
            if not continues:
                break
        code = "".join(parts)
        match = _KEYWORD.match(code)
        if match is None:
            yield Instruction(code.strip().partition("\n")[0], code, start, len(code))
            continue
        found = _heredoc(code, lines, at) if match[1].lower() in _TAKES_HEREDOC else None
        if found is None:
            yield Instruction(match[1], code, start, match.end())
            continue
        after, heredoc = found
        whole = code + "".join(line[0] for line in lines[at:after])
        yield Instruction(match[1], whole, start, match.end(), heredoc)
        at = after


def _escape(lines: list[re.Match[str]]) -> str:
    for line in lines:
        match = _DIRECTIVE.match(line[0])
        if match is None:
            break
        if match[1].lower() == "escape":
            return match[2][:1]
    return "\\"


def _is_blank(line: re.Match[str], comments: list[Span]) -> bool:
    """Whether a line is empty or a comment, which is remembered."""
    bare = line[0].strip()
    if bare.startswith("#"):
        start = line.start() + line[0].index("#")
        comments.append(Span(start, start + len(bare)))
        return True
    return not bare


def _continued(line: str, escape: str) -> tuple[str, bool]:
    """A line as a shell continues it, of the same length, and whether it goes on."""
    bare = line.rstrip()
    odd = (len(bare) - len(bare.rstrip(escape))) % 2 == 1
    if not odd or not line.endswith("\n"):
        return line, False
    blanks = len(line) - len(bare) - 1
    return f"{bare[:-1]}{' ' * blanks}\\\n", True


def _heredoc(
    code: str, lines: list[re.Match[str]], at: int
) -> tuple[int, tuple[int, int, int, str]] | None:
    """The line after the bodies of all heredocs, and the first of them."""
    first: tuple[int, int, int, str] | None = None
    for match in _HEREDOC.finditer(code):
        body = at
        while at < len(lines) and lines[at][0].strip() != match[2]:
            at += 1
        if at >= len(lines):
            return None
        if first is None:
            first = (match.start(), lines[body].start(), lines[at].start(), match[3] or "")
        at += 1
    return None if first is None else (at, first)
