"""The words without which no rule can fire: what is skipped before anything is parsed."""

from __future__ import annotations

import re
from functools import lru_cache


_SUPPRESSION = r"noqa:[^\r\n]*NM\d"


@lru_cache(maxsize=64)
def word_pattern(words: frozenset[str]) -> re.Pattern[str]:
    """A pattern that finds any of the words, as whole identifiers."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(words)))})\b")


@lru_cache(maxsize=8)
def byte_pattern(words: frozenset[str]) -> re.Pattern[bytes]:
    """The same for the bytes of a file that nobody has decoded yet."""
    joined = "|".join(map(re.escape, sorted(words)))
    return re.compile(rf"\b(?:{joined})\b|{_SUPPRESSION}".encode())
