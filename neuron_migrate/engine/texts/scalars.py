"""Scalars of YAML and JSON as text whose every character has a place in the file."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from neuron_migrate.engine.texts.facts import Span, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.texts.facts import Fact, Reading
    from neuron_migrate.engine.texts.nodes import Scalar

_Moved = TypeVar("_Moved")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_FOLD = re.compile(r"[ \t]*(?:\r\n|\r|\n)(?P<blank>(?:[ \t]*(?:\r\n|\r|\n))*)[ \t]*")
_ESCAPED_LINE = re.compile(r"\\(?:\r\n|\r|\n)[ \t]*")
_ESCAPES = {
    '"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "0": "\0", " ": " ",
}  # fmt: skip
_Piece = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Part:
    """What a scalar says, with the places its characters have in the file."""

    text: str
    places: tuple[int, ...]
    """One for each character, and where the last one ends."""

    def moved(self, fact: _Moved) -> _Moved:
        """A fact about the text, as one about the file."""
        changes: dict[str, Any] = {}
        for each in fields(fact):  # type: ignore[arg-type]
            value = getattr(fact, each.name)
            if isinstance(value, Span):
                changes[each.name] = self.span(value)
            elif isinstance(value, tuple) and value and isinstance(value[0], Word):
                changes[each.name] = tuple(self.moved(word) for word in value)
        return replace(fact, **changes)  # type: ignore[type-var]

    def span(self, span: Span) -> Span:
        """The place in the file of a part of the text."""
        return Span(self.places[span.start], self.places[span.end])

    def include(self, inner: Reading, reading: Reading) -> None:
        """Add what was found in the text to the facts of the file."""
        facts: list[Fact] = [self.moved(fact) for fact in inner.facts]
        reading.facts += facts
        reading.comments += [self.span(each) for each in inner.comments]


def part(scalar: Scalar, source: str) -> Part | None:
    """The text of a scalar with its places; None where they cannot be told."""
    if scalar.style in {"|", ">"}:
        pieces = list(_block(scalar, source))
    else:
        pieces = list(_flow(scalar, source))
    text = "".join(character for character, _ in pieces)
    same = text.rstrip() == scalar.text.rstrip() or (
        scalar.style == ">" and text.split() == scalar.text.split()
    )
    return Part(text, (*(place for _, place in pieces), scalar.inner.end)) if same else None


def _block(scalar: Scalar, source: str) -> Iterator[_Piece]:
    """The lines of a block without their indentation; those of a folded one keep their ends."""
    header = _LINE.match(source, scalar.place.start, scalar.place.end)
    assert header is not None
    lines = [line for line in _LINE.finditer(source, header.end(), scalar.place.end) if line[0]]
    first = next((line[0] for line in lines if line[0].strip()), "")
    said = re.search(r"[1-9]", header[0].partition("#")[0])
    indent = len(first) - len(first.lstrip(" "))
    if said is not None:
        indent = _parent_indent(scalar, source) + int(said[0])
    for at, line in enumerate(lines):
        bare = line[0].rstrip("\r\n")
        kept = min(indent, len(bare) - len(bare.lstrip(" ")))
        yield from ((bare[each], line.start() + each) for each in range(kept, len(bare)))
        if len(bare) < len(line[0]):
            following = lines[at + 1][0][indent : indent + 1] if at + 1 < len(lines) else ""
            folded = scalar.style == ">" and bare[kept:].strip() and following.strip()
            space = folded and not bare[kept].isspace()
            yield " " if space else "\n", line.start() + len(bare)


def _parent_indent(scalar: Scalar, source: str) -> int:
    start = max(source.rfind("\n", 0, scalar.place.start), -1) + 1
    line = source[start : scalar.place.start]
    return len(line) - len(line.lstrip(" -"))


def _flow(scalar: Scalar, source: str) -> Iterator[_Piece]:
    """Text in quotes or without: its lines are folded."""
    at, end = scalar.inner.start, scalar.inner.end
    while at < end:
        fold = _FOLD.match(source, at, end)
        if fold is not None:
            blanks = re.sub(r"[^\n\r]|\r(?=\n)", "", fold["blank"])
            yield from (("\n", at) for _ in blanks)
            if not blanks:
                yield " ", at
            at = fold.end()
        elif source[at] == "\\" and scalar.style == '"':
            line = _ESCAPED_LINE.match(source, at, end)
            if line is None:
                yield _ESCAPES.get(source[at + 1], "\ufffd"), at
            at = at + 2 if line is None else line.end()
        else:
            yield source[at], at
            at += 2 if source[at] == "'" and scalar.style == "'" else 1
