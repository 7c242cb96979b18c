"""The words without which no rule can fire: what is skipped before anything is parsed."""

from __future__ import annotations

import re
from functools import lru_cache

_SUPPRESSION = r"noqa:[^\r\n]*NM\d"


@lru_cache(maxsize=64)
def word_pattern(words: frozenset[str]) -> re.Pattern[str]:
    """A pattern that finds any of the words, as whole identifiers where they are some."""
    return re.compile(_alternatives(words))


@lru_cache(maxsize=8)
def byte_pattern(words: frozenset[str]) -> re.Pattern[bytes]:
    """The same for the bytes of a file that nobody has decoded yet."""
    return re.compile(f"{_alternatives(words)}|{_SUPPRESSION}".encode())


def _alternatives(words: frozenset[str]) -> str:
    whole = sorted(word for word in words if word.isidentifier())
    other = sorted(words.difference(whole))
    return "|".join([rf"\b(?:{'|'.join(whole)})\b", *map(re.escape, other)])
