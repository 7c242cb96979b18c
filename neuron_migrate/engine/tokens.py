"""The tokens of a text in the syntax of the newest Python, whichever Python runs.

Older tokenizers cannot read PEP 701 f-strings, and libcst does not say where its nodes stood when
it does not reproduce their spacing. This one is exact about places and lenient about the rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["name", "operator", "string", "template", "newline"]

_BLANK = re.compile(r"(?:[ \t\f]|\\(?:\r\n|\r|\n)|#[^\r\n]*)+")
_NEWLINE = re.compile(r"\r\n|\r|\n")
_STRING = re.compile(r"(?i:(br?|rb|u|r|(?:[ft]r?|r[ft]))?)('''|\"\"\"|'|\")")
_WORD = re.compile(r"\w+")
_ONE_LINE = r"(?:[^\\\r\n]|\\(?:\r\n|.))*?"
_LINES = r"(?:[^\\]|\\.)*?"
_BODIES = {
    quote: re.compile((_ONE_LINE if len(quote) == 1 else _LINES) + quote, re.DOTALL)
    for quote in ("'''", '"""', "'", '"')
}
_OPENING, _CLOSING = "([{", ")]}"


class TokenError(Exception):
    """The text is not Python of any version, or ends inside a string."""


@dataclass(slots=True)
class Token:
    """A piece of the text; ``fields`` are the replacement fields of an f-string or t-string."""

    kind: Kind
    text: str
    start: int
    end: int
    fields: list[tuple[int, int]] = field(default_factory=list)
    """Between the braces."""


def tokens(text: str, start: int = 0, *, inside: bool = False) -> Iterator[Token]:
    """The tokens from an offset on; ``inside`` a replacement field they end with it.

    Newlines inside brackets are left out, as are comments. Raises TokenError.
    """
    depth = 0
    position = start
    while position < len(text):
        if blank := _BLANK.match(text, position):
            position = blank.end()
            continue
        token = _token(text, position)
        if inside and not depth and _ends_field(token, text):
            yield token
            return
        if token.kind == "operator":
            depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if token.kind != "newline" or not (depth or inside):
            yield token
        position = token.end
    if inside:
        raise TokenError("a replacement field does not end")


def _token(text: str, start: int) -> Token:
    if newline := _NEWLINE.match(text, start):
        return Token("newline", newline[0], start, newline.end())
    if string := _STRING.match(text, start):
        prefix, quote = (string[1] or "").lower(), string[2]
        if {"f", "t"}.intersection(prefix):
            return _template(text, start, string.end(), quote, raw="r" in prefix)
        body = _BODIES[quote].match(text, string.end())
        if body is None:
            raise TokenError("a string does not end")
        return Token("string", text[start : body.end()], start, body.end())
    if word := _WORD.match(text, start):
        return Token("name", word[0], start, word.end())
    return Token("operator", text[start], start, start + 1)


def _ends_field(token: Token, text: str) -> bool:
    """True at the ``}``, the ``:`` or the ``!r`` that ends the expression of a field."""
    if token.text == "!":
        return text[token.end : token.end + 1] != "="
    return token.text in {"}", ":"}


def _template(text: str, start: int, body: int, quote: str, *, raw: bool) -> Token:
    fields: list[tuple[int, int]] = []
    position = body
    while not text.startswith(quote, position):
        position = _literal_or_field(text, position, quote, fields, raw=raw)
    end = position + len(quote)
    return Token("template", text[start:end], start, end, fields)


def _literal_or_field(
    text: str, position: int, quote: str, fields: list[tuple[int, int]], *, raw: bool
) -> int:
    """The offset after the next bit of an f-string."""
    here = text[position : position + 2]
    if not here or (len(quote) == 1 and here[0] in "\r\n"):
        raise TokenError("an f-string does not end")
    if here in {"{{", "}}"}:
        return position + 2
    if here[0] == "{":
        end = _field_end(text, position + 1, quote, raw=raw)
        fields.append((position + 1, end))
        return end + 1
    if here == "\\N" and not raw and text.startswith("{", position + 2):
        return _after(text, "}", position)
    if here[0] == "\\" and here[1:] not in {"{", "}"}:
        return position + (3 if text.startswith("\r\n", position + 1) else 2)
    return position + 1


def _field_end(text: str, start: int, quote: str, *, raw: bool) -> int:
    """The offset of the ``}`` of a replacement field."""
    *_, last = tokens(text, start, inside=True)
    position = last.end
    if last.text == "!":
        while text[position : position + 1] not in {"", ":", "}"}:
            position += 1
        last = Token("operator", text[position : position + 1], position, position + 1)
        position += 1
    if last.text == ":":
        while not text.startswith("}", position):
            if text.startswith(quote, position):
                raise TokenError("a format does not end")
            if text.startswith("{", position):
                position = _field_end(text, position + 1, quote, raw=raw) + 1
            else:
                position = _literal_or_field(text, position, quote, [], raw=raw)
        return position
    if last.text != "}":
        raise TokenError("a replacement field does not end")
    return last.start


def _after(text: str, what: str, start: int) -> int:
    found = text.find(what, start)
    if found < 0:
        raise TokenError(f"no {what} follows")
    return found + 1
