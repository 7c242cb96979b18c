"""Text as lines of words and numbers, so that what two runs print can be compared."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBER = re.compile(
    r"(?P<aside>\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?"
    r"|\d+:\d\d(?::\d\d)?(?:[.,]\d+)?|0x[0-9a-fA-F]+)"
    r"|(?<![\w.])[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?:nan|inf)\b)"
)
_UNIT = re.compile(
    r"\s*(?:[nuµm]?s|secs?|seconds?|min|minutes?|h|hours?|[KMGT]?i?B|bytes"
    r"|[\w.]+/s(?:ec(?:ond)?)?|s/\w+|\w+ per (?:sec|second))(?!\w)"
)
_NAME = re.compile(
    r"(?<![a-z])(?:time|runtime|elapsed|duration|took|dt|eta|speed|throughput|mfu|latency|pid"
    r"|mem(?:ory)?|allocated|reserved|peak|flops|(?:samples|steps|tokens)_per_sec(?:ond)?)(?![a-z])",
    re.IGNORECASE,
)
_DEVICE = re.compile(r"\b(?:neuron|cuda|cpu)(?::\d+)?\b")
_TENSOR_DEVICE = re.compile(r",\s*device='[^']*'")
_BAR = re.compile(r"\d+%\|")
_WARNING = re.compile(r"\.pyi?:\d+: \w*Warning")


class Number(msgspec.Struct, frozen=True):
    """A number in a line; `aside` says that it is a time, a rate or a size of memory."""

    text: str
    aside: bool

    @property
    def value(self) -> float:
        """What it says."""
        return float(self.text)


class Line(msgspec.Struct, frozen=True):
    """A line: its words, and which of the lines with these words it is, counted from 0."""

    number: int
    text: str
    words: str
    occurrence: int
    numbers: tuple[Number, ...]


def lines(text: str) -> list[Line]:
    """The lines of a text without progress bars and the places of warnings."""
    seen: Counter[str] = Counter()
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in line.split("\r"):
            if not part.strip() or _BAR.search(part) or _WARNING.search(part):
                continue
            plain = _DEVICE.sub("DEVICE", _TENSOR_DEVICE.sub("", part))
            words = " ".join(_NUMBER.sub("#", plain).split())
            numbers = tuple(_numbers(plain))
            found.append(Line(number, part.strip(), words, seen[words], numbers))
            seen[words] += 1
    return found


def _numbers(line: str) -> Iterator[Number]:
    end, aside = 0, False
    for match in _NUMBER.finditer(line):
        name = re.split(r"[,;|\t{}\[\]]", line[end : match.start()])[-1]
        follows = aside and not re.search(r"[A-Za-z,;|]", line[end : match.start()])
        aside = bool(
            match["aside"] or _UNIT.match(line, match.end()) or _NAME.search(name) or follows
        )
        yield Number(match[0], aside)
        end = match.end()
