"""Offsets into a text as positions of the protocol, which counts columns in code units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from neuron_migrate.files.lines import Lines

if TYPE_CHECKING:
    from neuron_migrate.report.located import Region

_BYTES = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
"""Of a code unit, by the encoding that client and server agreed on."""
_MARK = "\ufeff"


class Positions:
    """The positions of one text. Offsets, lines and columns do not count its byte order mark."""

    def __init__(self, text: str, encoding: str) -> None:
        self._text = text
        self._lines = Lines(text)
        self._mark = int(text.startswith(_MARK))
        self._encoding = encoding if encoding in _BYTES else "utf-16"

    def position(self, offset: int) -> types.Position:
        """Where an offset is."""
        return self._position(min(offset + self._mark, len(self._text)))

    def range(self, start: int, end: int) -> types.Range:
        """The range between two offsets."""
        return types.Range(self.position(start), self.position(end))

    def of_region(self, region: Region) -> types.Range:
        """A region as a range; what is not in the text ends with it."""
        return types.Range(
            self._position(self._offset(region.line, region.column)),
            self._position(self._offset(region.end_line, region.end_column)),
        )

    def _offset(self, line: int, column: int) -> int:
        try:
            return self._lines.offset(line, column + (self._mark if line == 1 else 0))
        except ValueError:
            return self._lines.next_line(line)

    def _position(self, offset: int) -> types.Position:
        line, column = self._lines.position(offset)
        before = self._text[offset - column + 1 : offset]
        return types.Position(line - 1, self._units(before))

    def _units(self, text: str) -> int:
        if text.isascii():
            return len(text)
        codec = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(self._encoding, self._encoding)
        return len(text.encode(codec, errors="surrogatepass")) // _BYTES[self._encoding]
