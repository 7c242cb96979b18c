"""Requirements and constraints files, as pip reads them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts import options
from neuron_migrate.engine.texts.facts import PackageIndex, Reading, Requirement, Span
from neuron_migrate.engine.texts.options import Argument
from neuron_migrate.engine.texts.pep508 import requirement
from neuron_migrate.files.lines import line_starts

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*")
_CONTINUED = re.compile(r"\\(?:\r\n|\r|\n)$")
_GENERATED = re.compile(
    r"^#.*\b(?:auto-?generated|generated) by (?P<by>[\w-]+)", re.IGNORECASE | re.MULTILINE
)
_OTHER_DEVICE = re.compile(
    r"(?:^|[^a-z])(?:amd|apple|cpu|gaudi|hpu|intel|mac|macos|mlu|mps|musa|npu|rocm|tpu|vulkan|xpu)"
    r"(?![a-z])[^/]*$",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\\(?:\r\n|\r|\n|\Z)")
_WORD = re.compile(r"\S+")
_HASHED = "it is pinned by its hashes: another version needs other ones, and none may be missing"


def read(text: str, path: str) -> Reading:
    """The facts of a requirements file; lines that pip refuses are left to pip."""
    reading = Reading()
    by = generator(text)
    elsewhere = _OTHER_DEVICE.search(path) is not None
    for whole in _lines(text):
        line = _JOINED.sub(lambda joined: " " * len(joined[0]), text[whole.start : whole.end])
        comment = _COMMENT.search(line)
        if comment is not None:
            start = whole.start + comment.start()
            reading.comments.append(Span(start, whole.start + len(line.rstrip())))
            line = line[: comment.start()]
        facts = _facts(line, whole, by)
        reading.facts += (_optional(each) for each in facts) if elsewhere else facts
    return reading


def _optional(fact: PackageIndex | Requirement) -> PackageIndex | Requirement:
    return replace(fact, optional=True) if isinstance(fact, Requirement) else fact


def generator(text: str) -> str:
    """Why a text must not be edited that a tool has written; empty when none has."""
    made = _GENERATED.search(text)
    return f"{made['by']} writes this file: change what it is made from" if made else ""


def _lines(text: str) -> Iterator[Span]:
    """Lines, those together that a backslash joins; a comment that begins a line ends it."""
    starts = [*line_starts(text), len(text)]
    first: int | None = None
    for start, end in pairwise(starts):
        first = start if first is None else first
        line = text[start:end]
        if _CONTINUED.search(line) and not line.lstrip().startswith("#"):
            continue
        yield Span(first, end)
        first = None
    if first is not None:
        yield Span(first, len(text))


def _facts(line: str, whole: Span, by: str) -> Iterator[PackageIndex | Requirement]:
    words = [_argument(word, whole.start) for word in _WORD.finditer(line)]
    if not words:
        return
    given = options.read(words)
    for index in (*given.indexes, *given.exclusive):
        yield replace(index, frozen=by)
    if words[0].text.startswith("-"):
        found = [requirement(each.text, each.span.start) for each in given.packages]
    else:
        head = list(takewhile(lambda word: not word.text.startswith("-"), words))
        found = [_requirement(line, head, whole.start)]
    for each in filter(None, found):
        yield replace(each, removal=whole, frozen=by or (_HASHED if given.hashed else ""))


def _argument(word: re.Match[str], start: int) -> Argument:
    span = Span(start + word.start(), start + word.end())
    return Argument(word[0], span, span)


def _requirement(line: str, words: list[Argument], start: int) -> Requirement | None:
    """What the words before the first option ask for; a joined line is read as if it were one."""
    first, last = words[0].span.start - start, words[-1].span.end - start
    return requirement(line[first:last], start + first)
