"""The words without which no rule can fire: what is skipped before anything is parsed."""

from __future__ import annotations

import re
from functools import lru_cache

_SUPPRESSION = r"noqa:[^\r\n]*NM\d"
_Trie = dict[str, "_Trie"]
_END = ""


@lru_cache(maxsize=64)
def word_pattern(words: frozenset[str]) -> re.Pattern[str]:
    """A pattern that finds any of the words, as whole identifiers where they are some."""
    return re.compile(_alternatives(words))


@lru_cache(maxsize=8)
def byte_pattern(words: frozenset[str]) -> re.Pattern[bytes]:
    """The same for the bytes of a file that nobody has decoded yet."""
    return re.compile(f"{_alternatives(words)}|{_SUPPRESSION}".encode())


def _alternatives(words: frozenset[str]) -> str:
    """Words may start or end with punctuation, such as ``pipeline(``: no border is asked for there.

    Alternatives that share their beginnings are fifteen times faster than a list of words. A word
    between slashes is a regular expression.
    """
    groups: dict[tuple[bool, bool], _Trie] = {}
    patterns = sorted(word[1:-1] for word in words if _is_expression(word))
    for word in sorted(words):
        if _is_expression(word):
            continue
        node = groups.setdefault((_is_word(word[0]), _is_word(word[-1])), {})
        for character in word:
            node = node.setdefault(character, {})
        node[_END] = {}
    plain = [
        ("\\b" if starts else "") + _pattern(trie) + ("\\b" if ends else "")
        for (starts, ends), trie in groups.items()
    ]
    return "|".join([*plain, *patterns])


def _is_expression(word: str) -> bool:
    return len(word) > 2 and word[0] == word[-1] == "/"


def _pattern(trie: _Trie) -> str:
    parts = [re.escape(character) + _pattern(rest) for character, rest in trie.items() if character]
    if not parts:
        return ""
    if len(parts) == 1 and _END not in trie:
        return parts[0]  # a group for every character would make compiling slow
    return f"(?:{'|'.join(parts)}){'?' if _END in trie else ''}"


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
