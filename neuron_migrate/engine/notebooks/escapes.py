"""What IPython adds to the lines of Python: shell commands, magics and questions for help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from neuron_migrate.engine.analysis import AnalysisError, parse
from neuron_migrate.engine.tokens import TokenError, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["shell", "magic", "run", "help"]

_ESCAPE = re.compile(r"[ \t]*(?P<mark>!!?|%%?|\?{1,2})")
_AUTOMATIC = re.compile(
    r"[ \t]*(?:pip3?|conda|mamba|cd|ls|pwd|mkdir|rm|cp|mv|cat|env|run|load_ext|matplotlib"
    r"|autoreload|config|time|timeit)[ \t]+[-\w./~]"
)
"""Magics that work without their ``%`` where the line is no Python."""
_RUNS_CODE = re.compile(
    r"%(?:time|timeit|prun|memit|mprun|lprun)[ \t]+(?:-[a-z]+\d*(?:[ \t]+\d+)?[ \t]+)*"
)
_REST = re.compile(r"(?:[^\r\n]*\\(?:\r\n|\r|\n))*[^\r\n]*")
"""A line and those it goes on in."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_ENDS = re.compile(r"[ \t]*(?=[\r\n]|\Z)")


@dataclass(frozen=True, slots=True)
class Escape:
    """Code that IPython reads and Python refuses; one that runs Python holds it."""

    kind: Kind
    start: int
    """Where its mark stands."""
    code: int
    """Where what follows the mark begins, or the Python that it runs."""
    end: int


def escapes(text: str, start: int) -> Iterator[Escape]:
    """What only IPython reads, from the beginning of a line on.

    It ends where the text is neither, as for an open bracket.
    """
    position = start
    try:
        while position < len(text):
            found = _escape(text, position)
            if found is None:
                found, position = _statement(text, position)
            else:
                position = found.end
            if found is not None:
                yield found
                position = found.end
            if line_end := _LINE_END.match(text, position):
                position = line_end.end()
    except TokenError:
        return


def is_python(code: str) -> bool:
    """Whether it can be parsed."""
    try:
        parse(code)
    except AnalysisError:
        return False
    return True


def _escape(text: str, start: int) -> Escape | None:
    """The one that a line is as a whole."""
    match = _ESCAPE.match(text, start)
    first = _after(text, start, " \t")
    if match is not None:
        runs = _run(text, first)
        kind = _kind(match["mark"])
        return runs or Escape(kind, first, match.end(), _rest(text, match.end()))
    end = _rest(text, start)
    if _AUTOMATIC.match(text, start) is None or is_python(text[first:end]):
        return None
    return Escape("magic", first, first, end)


def _run(text: str, start: int) -> Escape | None:
    """``%time x = f()``: the code runs as if it stood alone."""
    match = _RUNS_CODE.match(text, start)
    if match is None:
        return None
    end = _statement_end(text, match.end())
    if not is_python(f"0;{text[match.end() : end]}"):
        return None
    return Escape("run", start, match.end(), end)


def _statement_end(text: str, start: int) -> int:
    """Where the line of Python that begins at an offset ends, with those its brackets hold."""
    try:
        for token in tokens(text, start):
            if token.kind == "newline":
                return token.start
    except TokenError:
        pass
    return len(text)


def _statement(text: str, start: int) -> tuple[Escape | None, int]:
    """What a line of Python hands to IPython, if anything, and where the line ends."""
    depth, assigned = 0, False
    for token in tokens(text, start):
        if token.kind == "newline":
            return None, token.start
        if token.kind != "operator":
            continue
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth:
            continue
        end = _after(text, token.start, "?")
        if end > token.start and _LINE_ENDS.match(text, end):
            return Escape("help", _after(text, start, " \t"), end, end), end
        if token.text == "=" and not assigned:
            assigned = True
            place = _after(text, token.end, " \t")
            mark = text[place : place + 1]
            if mark in {"!", "%"}:
                return Escape(_kind(mark), place, place + 1, _rest(text, place)), place
    return None, len(text)


def _kind(mark: str) -> Kind:
    if mark[0] == "?":
        return "help"
    return "shell" if mark[0] == "!" else "magic"


def _rest(text: str, start: int) -> int:
    match = _REST.match(text, start)
    return match.end() if match else start


def _after(text: str, start: int, characters: str) -> int:
    while start < len(text) and text[start] in characters:
        start += 1
    return start
