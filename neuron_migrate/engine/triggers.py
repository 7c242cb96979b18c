"""The words without which no rule can fire: what is skipped before anything is parsed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from neuron_migrate.catalog.gates import Gate

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_BYTE_IDENTIFIER = re.compile(rb"[A-Za-z_\x80-\xff][\w\x80-\xff]*")
_FORM = re.compile(r"\\b(?:[\w|?:+*\[\]()-]|\\[bw])*")
"""A regular expression for whole identifiers: word borders and nothing but word characters."""
_SUPPRESSION = re.compile(rb"noqa:[^\r\n]*NM\d")


@dataclass(frozen=True, slots=True)
class _Words:
    """The trigger words of one gate, by how they are looked for."""

    packages: frozenset[str]
    identifiers: frozenset[str]
    names: frozenset[str]
    """The identifiers, and those that a call of is looked for: what may have an alias."""
    literals: tuple[str, ...]
    """With punctuation, such as ``pipeline(`` or ``.item()``."""
    expressions: tuple[str, ...]
    """Regular expressions, without their slashes."""
    forms: tuple[str, ...]
    """Those of them that an identifier as such matches: few are different ones in a text."""


class Triggers:
    """What to look for in a text before it is parsed.

    Collecting the identifiers of a text and asking a set is ten times faster than searching for a
    thousand alternatives.
    """

    def __init__(self, gates: Iterable[Gate]) -> None:
        self._gates = [_sorted(gate) for gate in gates]

    def occur(self, data: bytes) -> bool:
        """Whether a rule can fire in a file that nobody has decoded yet."""
        found = {each.decode("utf-8", "replace") for each in set(_BYTE_IDENTIFIER.findall(data))}
        for gate in self._gates:
            if gate.packages and gate.packages.isdisjoint(found):
                continue
            if not gate.identifiers.isdisjoint(found):
                return True
            if any(literal.encode() in data for literal in gate.literals):
                return True
            if any(_compiled_bytes(each).search(data) for each in gate.expressions):
                return True
            if gate.forms and any(_compiled(each).search(" ".join(found)) for each in gate.forms):
                return True
        return b"noqa" in data and _SUPPRESSION.search(data) is not None

    def in_text(
        self, text: str, packages: frozenset[str] | None
    ) -> tuple[frozenset[str], frozenset[str]]:
        """The words by which a rule may fire in a text, and the names among them and their calls.

        A word is as rule files write it; an alias of a name may stand for it. ``packages`` are the
        top-level packages that the text imports, None when that cannot be said.
        """
        found = set(_IDENTIFIER.findall(text))
        words: set[str] = set()
        names: set[str] = set()
        for gate in self._gates:
            if gate.packages and packages is not None and gate.packages.isdisjoint(packages):
                continue
            words |= gate.identifiers & found
            names |= gate.names & found
            words.update(literal for literal in gate.literals if literal in text)
            words.update(f"/{each}/" for each in gate.expressions if _compiled(each).search(text))
            names_only = " ".join(found) if gate.forms else ""
            words.update(f"/{each}/" for each in gate.forms if _compiled(each).search(names_only))
        return frozenset(words), frozenset(names)


def occurrences(words: Collection[str], text: str) -> Iterator[tuple[int, str]]:
    """Where any of the words stands in a text, and which one; first the identifiers."""
    for match in _IDENTIFIER.finditer(text):
        if (name := match.group()) in words:
            yield match.start(), name
    for word in words:
        if is_expression(word):
            yield from ((match.start(), word) for match in _compiled(word[1:-1]).finditer(text))
        elif not word.isidentifier():
            yield from ((start, word) for start in _places(word, text))


def _places(literal: str, text: str) -> Iterator[int]:
    """No border is asked for at an end with punctuation, such as that of ``pipeline(``."""
    start = text.find(literal)
    while start >= 0:
        end = start + len(literal)
        if not (_meets(text, start) or _meets(text, end)):
            yield start
        start = text.find(literal, start + 1)


def _meets(text: str, offset: int) -> bool:
    """True where two word characters stand side by side, so that no word begins or ends."""
    return 0 < offset < len(text) and _is_word(text[offset - 1]) and _is_word(text[offset])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@lru_cache(maxsize=512)
def word_pattern(words: frozenset[str]) -> re.Pattern[str]:
    """A pattern that finds any of the words, as whole identifiers where they are some."""
    plain = sorted(word for word in words if word.isidentifier())
    others = sorted(word for word in words if not word.isidentifier())
    parts = [rf"\b(?:{'|'.join(map(re.escape, plain))})\b"] if plain else []
    parts += [word[1:-1] if is_expression(word) else _bordered(word) for word in others]
    return re.compile("|".join(parts) or r"(?!)")


def is_expression(word: str) -> bool:
    """Whether a trigger is a regular expression: it stands between slashes."""
    return len(word) > 2 and word[0] == word[-1] == "/"


def _sorted(gate: Gate) -> _Words:
    others = [word for word in gate.words if not word.isidentifier()]
    expressions = sorted(word[1:-1] for word in others if is_expression(word))
    return _Words(
        gate.packages,
        frozenset(word for word in gate.words if word.isidentifier()),
        frozenset(name for word in gate.words if (name := word.rstrip("(")).isidentifier()),
        tuple(sorted(word for word in others if not is_expression(word))),
        tuple(each for each in expressions if not _FORM.fullmatch(each)),
        tuple(each for each in expressions if _FORM.fullmatch(each)),
    )


def _bordered(word: str) -> str:
    """No border is asked for at an end with punctuation, such as that of ``pipeline(``."""
    start = r"\b" if word[0].isalnum() or word[0] == "_" else ""
    end = r"\b" if word[-1].isalnum() or word[-1] == "_" else ""
    return f"{start}{re.escape(word)}{end}"


@lru_cache(maxsize=64)
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


@lru_cache(maxsize=64)
def _compiled_bytes(expression: str) -> re.Pattern[bytes]:
    return re.compile(expression.encode())
