"""Comments that silence findings: ``# neuron-migrate: ignore[NM101]`` and ``# noqa: NM101``."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.files.lines import Lines

_OURS = re.compile(r"#\s*neuron-migrate:(?P<rest>\s*(?:ig|disable|skip|noqa)[^#\r\n]*)")
_REST = re.compile(
    r"\s*(?P<scope>ignore-file|ignore)\s*(?:\[\s*(?P<codes>NM\d{0,3}(?:\s*,\s*NM\d{0,3})*)\s*\].*)?",
    re.IGNORECASE,
)
_NOQA = re.compile(r"#\s*noqa\s*:\s*(?P<codes>[A-Z]+\d+(?:[\s,]+[A-Z]+\d+)*)", re.IGNORECASE)
_CODE = re.compile(r"NM\d{0,3}", re.IGNORECASE)


@dataclass(slots=True)
class Suppression:
    """One comment: the codes it silences (all, when empty) on its line or in the whole file."""

    line: int
    start: int
    end: int
    codes: tuple[str, ...]
    whole_file: bool
    used: bool = False
    malformed: bool = False
    """Not understood: it silences nothing."""
    last_line: int = 0
    """The last line it speaks of, where that is not its own."""

    def silences(self, code: str) -> bool:
        """True when the comment names the code, a prefix of it, or none."""
        if self.malformed:
            return False
        return not self.codes or any(code.startswith(prefix) for prefix in self.codes)


@dataclass(slots=True)
class Suppressions:
    """The suppression comments of one file."""

    comments: list[Suppression] = field(default_factory=list)

    def silence(self, code: str, first_line: int, last_line: int) -> bool:
        """True when a comment silences this code on these lines; marks it as used."""
        silenced = False
        for comment in self.comments:
            last = max(comment.line, comment.last_line)
            here = comment.whole_file or (first_line <= last and comment.line <= last_line)
            if here and comment.silences(code):
                comment.used = silenced = True
        return silenced

    @property
    def unused(self) -> Iterator[Suppression]:
        """The comments that silenced nothing."""
        return (comment for comment in self.comments if not comment.used)


def find(
    text: str, lines: Lines, comments: Sequence[tuple[int, int]] | None = None
) -> Suppressions:
    """The suppression comments of a text; strings that look like one do not count.

    ``comments`` are the places of all its comments, where that is known; else it is Python.
    """
    found = [*_ours(text, lines), *_noqa(text, lines)]
    if not found:
        return Suppressions()
    places = _comment_starts(text, lines) if comments is None else comments
    return Suppressions([each for each in found if places is None or _inside(each.start, places)])


def _ours(text: str, lines: Lines) -> Iterator[Suppression]:
    for match in _OURS.finditer(text):
        line = lines.position(match.start())[0]
        rest = _REST.fullmatch(match.group("rest").rstrip())
        if rest is None:
            yield Suppression(line, match.start(), match.end(), (), False, malformed=True)
        else:
            whole_file = rest.group("scope").lower() == "ignore-file"
            codes = _codes(rest.group("codes"))
            yield Suppression(line, match.start(), match.end(), codes, whole_file)


def _noqa(text: str, lines: Lines) -> Iterator[Suppression]:
    for match in _NOQA.finditer(text):
        codes = tuple(code for code in _codes(match.group("codes")) if len(code) > len("NM"))
        if codes:
            line = lines.position(match.start())[0]
            yield Suppression(line, match.start(), match.end(), codes, whole_file=False)


def _codes(text: str | None) -> tuple[str, ...]:
    return tuple(code.upper() for code in _CODE.findall(text or ""))


def _inside(start: int, comments: Sequence[tuple[int, int]]) -> bool:
    return any(first <= start < last for first, last in comments)


def _comment_starts(text: str, lines: Lines) -> list[tuple[int, int]] | None:
    """Where comments stand; None when this Python cannot tokenize the text."""
    spans: list[tuple[int, int]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
            if token.type == tokenize.COMMENT:
                start = lines.offset(token.start[0], token.start[1] + 1)
                spans.append((start, start + len(token.string)))
    except (tokenize.TokenError, SyntaxError, ValueError):
        return None
    return spans
