"""Command lines whose words are the entries of a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine.texts.facts import Span, Word
from neuron_migrate.engine.texts.nodes import Scalar
from neuron_migrate.engine.texts.shapes.kinds import is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.texts.nodes import Sequence

_REST = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")


class Listed(NamedTuple):
    """A word, and the scalar that it is."""

    word: Word
    scalar: Scalar


def words_of(sequence: Sequence, source: str) -> Iterator[Listed]:
    """The words in a list; each goes with its line, or with the comma before it."""
    for index, each in enumerate(sequence.items):
        if isinstance(each, Scalar):
            text = each.text if is_known(each.text) else None
            removal = _removal(sequence, index, source)
            yield Listed(Word(text, each.place, removal=removal), each)


def _removal(sequence: Sequence, index: int, source: str) -> Span:
    place = sequence.items[index].place
    if source[sequence.place.start] != "[":
        start = max(source.rfind(end, 0, place.start) for end in "\r\n") + 1
        rest = _REST.match(source, place.end)
        return Span(start, place.end if rest is None else rest.end())
    if index:
        return Span(sequence.items[index - 1].place.end, place.end)
    following = sequence.items[1].place.start if len(sequence.items) > 1 else place.end
    return Span(place.start, following)
