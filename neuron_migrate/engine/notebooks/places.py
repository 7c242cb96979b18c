"""Where the values of a JSON text stand."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANKS = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


class Place(NamedTuple):
    """A value and where it stands, a string with its quotes."""

    value: object
    start: int
    end: int


def top(text: str) -> int:
    """Where the value of a whole text begins."""
    return _after_blanks(text, 0)


def members(text: str, start: int) -> dict[str, Place]:
    """The values of an object in valid JSON; of a key that comes twice the last, as in Python."""
    found: dict[str, Place] = {}
    position = _after_blanks(text, start + 1)
    while text[position] != "}":
        key, colon = _DECODER.raw_decode(text, position)
        place = _place(text, _after_blanks(text, colon) + 1)
        found[key] = place
        position = _next(text, place)
    return found


def items(text: str, start: int) -> Iterator[Place]:
    """The values of an array in valid JSON."""
    position = _after_blanks(text, start + 1)
    while text[position] != "]":
        place = _place(text, position)
        yield place
        position = _next(text, place)


def _place(text: str, start: int) -> Place:
    start = _after_blanks(text, start)
    value, end = _DECODER.raw_decode(text, start)
    return Place(value, start, end)


def _next(text: str, place: Place) -> int:
    """Where the next value, or the bracket after the last, stands."""
    position = _after_blanks(text, place.end)
    return _after_blanks(text, position + 1) if text[position] == "," else position


def _after_blanks(text: str, start: int) -> int:
    match = _BLANKS.match(text, start)
    return match.end() if match else start
