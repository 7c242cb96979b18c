"""The values of a TOML document with their places, which no TOML library tells."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import ReadError, Span

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK = re.compile(r"[ \t\r\n]*")
_COMMENT = re.compile(r"#[^\r\n]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\r\n]|\\.)*"'
    r"|'[^'\r\n]*'",
    re.DOTALL,
)
_WORD = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\r\n]+")
_COMMA = re.compile(r"[ \t]*,?[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)?")
_REST = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n|\Z)")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value that holds no others."""

    path: Path
    """The keys that lead to it; ``*`` stands for an entry of a list."""
    value: str
    """What a string says; the source of what is no string."""
    place: Span
    """Where the value stands, without quotes."""
    plain: bool
    """The text at the place is the value."""
    key: Span | None
    """The last key, where it stands before the value and without quotes."""
    removal: Span | None
    """What goes when the entry does; None where it cannot be taken out."""


class Document:
    """The entries and the comments of a text.

    Raises ReadError when the text is not TOML.
    """

    def __init__(self, text: str) -> None:
        _check(text)
        self._text = text
        self._position = 0
        self._lists: set[Path] = set()
        self.comments: list[Span] = []
        try:
            self.entries = list(self._document())
        except RecursionError as error:
            raise ReadError("too deeply nested") from error

    def _document(self) -> Iterator[Entry]:
        table: Path = ()
        self._blank()
        while self._position < len(self._text):
            if self._text[self._position] == "[":
                table = self._header()
            else:
                yield from self._pair(table, inline=False)
            self._blank()

    def _header(self) -> Path:
        """``[a.b]``, or ``[[a.b]]``, which begins an entry of a list."""
        double = self._takes("[[")
        if not double:
            self._takes("[")
        keys, _ = self._keys()
        self._takes("]]" if double else "]")
        if double:
            self._lists.add(keys)
        table: Path = ()
        for depth, key in enumerate(keys, 1):
            table = (*table, key, "*") if keys[:depth] in self._lists else (*table, key)
        return table

    def _pair(self, table: Path, *, inline: bool) -> Iterator[Entry]:
        start = self._position
        keys, place = self._keys()
        self._takes("=")
        self._blank()
        found = list(self._value((*table, *keys), place))
        if len(found) == 1 and not inline and found[0].path == (*table, *keys):
            rest = _REST.match(self._text, self._position)
            line = Span(self._line_start(start), rest.end()) if rest else None
            found = [_with_removal(found[0], line)]
        yield from found

    def _value(self, path: Path, key: Span | None) -> Iterator[Entry]:
        opening = self._text[self._position]
        if opening == "[":
            yield from self._list(path)
        elif opening == "{":
            yield from self._inline_table(path)
        else:
            yield self._scalar(path, key)

    def _inline_table(self, path: Path) -> Iterator[Entry]:
        self._takes("{")
        self._blank()
        while not self._takes("}"):
            yield from self._pair(path, inline=True)
            self._blank()
            self._takes(",")
            self._blank()

    def _list(self, path: Path) -> Iterator[Entry]:
        """The entries of a list; each goes with its comma, and with its line if that is its own."""
        self._takes("[")
        self._blank()
        items: list[tuple[Span, int, list[Entry]]] = []
        while not self._takes("]"):
            start = self._position
            found = list(self._value((*path, "*"), None))
            place = Span(start, self._position)
            self._blank()
            end = self._position if self._takes(",") else place.end
            items.append((place, end, found))
            self._blank()
        for index, (place, end, found) in enumerate(items):
            if len(found) == 1 and found[0].path == (*path, "*"):
                before = items[index - 1][0] if index else None
                after = items[index + 1][0] if index + 1 < len(items) else None
                found = [_with_removal(found[0], self._item(before, place, end, after))]
            yield from found

    def _item(self, before: Span | None, place: Span, end: int, after: Span | None) -> Span:
        """What goes with an entry between two others, whose comma ends at ``end``."""
        comma = _COMMA.match(self._text, place.end)
        start = self._line_start(place.start)
        assert comma is not None
        alone = not self._text[start : place.start].strip() and comma[0].endswith(("\r", "\n"))
        if alone and end <= comma.end():
            return Span(start, comma.end())
        if after is not None:
            return Span(place.start, after.start)
        return Span(place.start, end) if before is None else Span(before.end, place.end)

    def _scalar(self, path: Path, key: Span | None) -> Entry:
        string = _STRING.match(self._text, self._position)
        if string is None:
            scalar = _SCALAR.match(self._text, self._position)
            assert scalar is not None, "tomllib has read it"
            source = scalar[0].rstrip()
            place = Span(self._position, self._position + len(source))
            self._position = place.end
            return Entry(path, source, place, True, key, None)
        self._position = string.end()
        quotes = 3 if string[0].startswith(('"""', "'''")) else 1
        inner = Span(string.start() + quotes, string.end() - quotes)
        value = tomllib.loads(f"a = {string[0]}")["a"]
        plain = value == self._text[inner.start : inner.end]
        return Entry(path, value, inner if plain else Span(*string.span()), plain, key, None)

    def _keys(self) -> tuple[Path, Span | None]:
        """Keys with dots between, and the place of the last if it is the only one."""
        keys: list[str] = []
        place: Span | None = None
        while True:
            self._blank()
            word = _WORD.match(self._text, self._position)
            string = None if word else _STRING.match(self._text, self._position)
            match = word or string
            assert match is not None, "tomllib has read it"
            keys.append(word[0] if word else tomllib.loads(f"a = {match[0]}")["a"])
            place = Span(*match.span()) if word and len(keys) == 1 else None
            self._position = match.end()
            self._blank()
            if not self._takes("."):
                return tuple(keys), place

    def _blank(self) -> None:
        """Goes past blanks, line ends and comments."""
        while True:
            blank = _BLANK.match(self._text, self._position)
            assert blank is not None
            comment = _COMMENT.match(self._text, blank.end())
            self._position = comment.end() if comment else blank.end()
            if comment is None:
                return
            self.comments.append(Span(*comment.span()))

    def _takes(self, expected: str) -> bool:
        found = self._text.startswith(expected, self._position)
        if found:
            self._position += len(expected)
        return found

    def _line_start(self, position: int) -> int:
        return max(self._text.rfind(end, 0, position) for end in "\r\n") + 1


def _with_removal(entry: Entry, removal: Span | None) -> Entry:
    return Entry(entry.path, entry.value, entry.place, entry.plain, entry.key, removal)


def _check(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = f"not valid TOML: {_PLACE.sub('', str(error))}"
        raise ReadError(reason, _offset(error, text)) from error
    except RecursionError as error:
        raise ReadError("too deeply nested") from error


def _offset(error: tomllib.TOMLDecodeError, text: str) -> int:
    place = _PLACE.search(str(error))
    if place is None or place[1] is None:
        return len(text)
    lines = text.split("\n")[: int(place[1]) - 1]
    return min(sum(len(line) + 1 for line in lines) + int(place[2]) - 1, len(text))
