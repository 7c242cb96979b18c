"""The options of a command line: ``--name value``, ``--name=value`` and ``key.name=value``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neuron_migrate.engine.texts.facts import Command, Word

_OPTION = re.compile(r"(--?[A-Za-z][\w.-]*)(?:=(.*))?", re.DOTALL)
_OVERRIDE = re.compile(r"\+{0,2}[\w.@/]*?(\w+)=(.*)", re.DOTALL)
_TRUTH = frozenset({"true", "false", "1", "0", "yes", "no", "y", "n", "on", "off"})
_FALSE = frozenset({"false", "0", "no", "n", "off"})


@dataclass(frozen=True, slots=True)
class Option:
    """An option as it is given."""

    name: str
    """With underscores for the dashes inside; the last key of an override."""
    word: Word
    name_span: Span
    before: Word
    """The word in front of it."""
    value: str | None
    value_span: Span | None
    """Without quotes; None where it cannot be told."""
    value_word: Word | None
    """The value, where it is a word of its own."""

    @property
    def is_off(self) -> bool:
        """A truth value that says no."""
        return self.value is not None and self.value.lower() in _FALSE

    @property
    def is_truth(self) -> bool:
        """Whether what follows can be the value of a flag."""
        return self.value is not None and self.value.lower() in _TRUTH

    @property
    def shared(self) -> bool:
        """Whether a part of it stands in a variable that others may read."""
        value = self.value_word
        return self.word.shared or (value is not None and value.shared)


def options(command: Command, source: Callable[[Span], str]) -> Iterator[Option]:
    """The options of a command, in its order."""
    words = command.words
    for at, word in enumerate(words[1:], 1):
        if word.text is None:
            continue
        match = _OPTION.fullmatch(word.text) or _OVERRIDE.fullmatch(word.text)
        if match is None:
            continue
        following = words[at + 1] if at + 1 < len(words) else None
        name_span, value_span = _places(word, match, source)
        if match[2] is not None:
            value, value_word = match[2], None
        elif following is not None and not (following.text or "").startswith("-"):
            value, value_word = following.text, following
            value_span = _without_quotes(following.span, source)
        else:
            value, value_word, value_span = None, None, None
        yield Option(
            normal(match[1]), word, name_span, words[at - 1], value, value_span, value_word
        )


@cache
def normal(name: str) -> str:
    """The name of an option, whether it is written with dashes or underscores."""
    bare = name.lstrip("-")
    return name[: len(name) - len(bare)] + bare.replace("-", "_")


def _places(
    word: Word, match: re.Match[str], source: Callable[[Span], str]
) -> tuple[Span, Span | None]:
    """Where the name and the value of one word stand."""
    text, start = source(word.span), word.span.start
    at = text.find(match[1])
    name = Span(start + at, start + at + len(match[1])) if at >= 0 else word.span
    if match[2] is None:
        return name, None
    sign = text.find("=")
    end = len(text) - (text[:1] in {"'", '"'} and text[:1] == text[-1:])
    value = _without_quotes(Span(start + sign + 1, start + end), source)
    return name, value if source(value) == match[2] else None


def _without_quotes(span: Span, source: Callable[[Span], str]) -> Span:
    text = source(span)
    if len(text) > 1 and text[0] in {"'", '"'} and text[0] == text[-1]:
        return Span(span.start + 1, span.end - 1)
    return span
