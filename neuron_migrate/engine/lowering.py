"""Newer syntax made readable for an older interpreter's ``ast``, without moving a character.

What cannot be said in older syntax is overwritten in place: the result has the same number of
characters and the same lines, its statements, headers and values stand where they stood. It serves
to find them, nothing else.
"""

from __future__ import annotations

import ast
import re
import warnings
from keyword import iskeyword
from typing import TYPE_CHECKING

from neuron_migrate.engine.tokens import TokenError, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.engine.tokens import Token

_LINE_END = re.compile(r"\r\n|\r|\n")


def lower(text: str) -> str | None:
    """The text with newer syntax overwritten, or None when there is nothing to overwrite."""
    try:
        found = list(tokens(text))
    except (TokenError, RecursionError):
        return None
    out = list(text)
    for token in found:
        if token.kind == "template":
            _template(token, out)
    for place, token in enumerate(found):
        if token.kind == "name":
            rest = found[place : place + 3]
            if token.text in {"def", "class"} and _follows(rest[1:], "name", "["):
                _type_parameters(found, place + 2, out)
            elif token.text == "type" and _is_type_statement(found, place):
                _type_statement(found, place, out)
            elif token.text == "except":
                _except(found, place + 1, out)
        elif token.text == "*" and place and _is_unpacked(found[place - 1], found, place):
            out[token.start] = " "
    lowered = "".join(out)
    return lowered if lowered != text else None


def _template(token: Token, out: list[str]) -> None:
    """A t-string becomes an f-string; one that this Python cannot read loses its fields."""
    for place in range(token.start, token.start + 2):
        if out[place] in "tT":
            out[place] = "f"
        elif out[place] in "'\"":
            break
    if _is_readable("".join(out[token.start : token.end])):
        return
    for start, end in token.fields:
        _blank(start, end, out)
        name = next((place for place in range(start, end) if out[place] == " "), None)
        if name is not None:
            out[name] = "_"
    if not _is_readable("".join(out[token.start : token.end])):
        _flatten(token, out)


def _flatten(token: Token, out: list[str]) -> None:
    """An f-string in single quotes over several lines becomes one that goes on, without fields."""
    first, last = token.start, token.end - 1
    _blank(first, token.end, out)
    out[first], out[first + 1], out[last] = "f", '"', '"'
    for line_end in _LINE_END.finditer(token.text):
        before = first + line_end.start() - 1
        if out[before] in "\r\n":
            # An empty line has no room for a backslash.
            _blank(first, token.end, out)
            out[first], out[first + 1], out[last] = "(", "0", ")"
            return
        out[before] = "\\"


def _type_parameters(found: list[Token], place: int, out: list[str]) -> None:
    """``def f[T](x)`` becomes ``def f(   x)``, with ``_`` where nothing else ends the header."""
    close = _closing(found, place)
    if close is None:
        return
    start, end = found[place].start, found[close].start
    _blank(start, end + 1, out)
    out[start] = "("
    if _follows(found[close + 1 :][:1], "("):
        out[found[close + 1].start] = " "
        if _follows(found[close + 2 :][:1], ")"):
            out[end] = "_"
        return
    out[end] = ")"
    last = next((at for at in range(end - 1, start, -1) if out[at] == " "), None)
    if last is not None:
        out[last] = "_"


def _is_type_statement(found: list[Token], place: int) -> bool:
    before = found[place - 1] if place else None
    if before is not None and before.kind != "newline" and before.text not in {";", ":"}:
        return False
    rest = found[place + 1 : place + 3]
    if not _follows(rest, "name", "[") and not _follows(rest, "name", "="):
        return False
    return not iskeyword(rest[0].text)


def _type_statement(found: list[Token], place: int, out: list[str]) -> None:
    """``type X[T] = …`` becomes ``X         = …``, in parentheses when it is on several lines."""
    name, end = found[place + 1], found[place + 1].end
    if found[place + 2].text == "[":
        close = _closing(found, place + 2)
        if close is None:
            return
        end = found[close].end
    start = found[place].start
    several = _LINE_END.search("".join(out[start:end])) is not None
    written = f"({name.text}" if several else name.text
    if several and _LINE_END.search("".join(out[start : start + len(written)])):
        return
    _blank(start, end, out)
    out[start : start + len(written)] = written
    if several:
        out[end - 1] = ")"


def _except(found: list[Token], place: int, out: list[str]) -> None:
    """``except* A`` becomes ``except  A``, and ``except A, B`` becomes ``except A| B``."""
    if _follows(found[place : place + 1], "*"):
        out[found[place].start] = " "
    depth = 0
    for token, after in zip(found[place:], found[place + 1 :], strict=False):
        depth += _step(token)
        if not depth and (token.kind == "newline" or token.text == ":"):
            return
        if not depth and token.text == ",":
            out[token.start] = " " if after.text == ":" else "|"


def _is_unpacked(before: Token, found: list[Token], place: int) -> bool:
    """True for the star of ``x[int, *Ts]`` and ``*args: *Ts``, which 3.10 does not know."""
    if before.text not in {"[", ","}:
        return before.text == ":"
    depth = 0
    for index in range(place - 1, 0, -1):
        depth += _step(found[index])
        if depth > 0:
            owner = found[index - 1]
            subscript = owner.kind == "name" and not iskeyword(owner.text)
            return found[index].text == "[" and subscript
    return False


def _closing(found: list[Token], place: int) -> int | None:
    """Where the bracket at ``place`` closes."""
    depth = 0
    for index in range(place, len(found)):
        depth += _step(found[index])
        if not depth:
            return index
    return None


def _step(token: Token) -> int:
    if token.kind != "operator":
        return 0
    return (token.text in "([{") - (token.text in ")]}")


def _follows(found: Iterable[Token], *expected: str) -> bool:
    """True when tokens are of the expected kinds or texts."""
    pairs = list(zip(found, expected, strict=False))
    return len(pairs) == len(expected) and all(
        want in (token.kind, token.text) for token, want in pairs
    )


def _blank(start: int, end: int, out: list[str]) -> None:
    for place in range(start, end):
        if out[place] not in "\r\n":
            out[place] = " "


def _is_readable(source: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(f"({source})")
    except (SyntaxError, ValueError):
        return False
    return True
