"""Where the lines of a text begin, as Python's own tokenizer counts them."""

from __future__ import annotations

import re
from bisect import bisect_right

LINE_END = re.compile(r"\r\n|\n|\r")


def line_starts(text: str) -> list[int]:
    r"""Offsets of the first character of every line; only \r\n, \n and a lone \r end a line."""
    return [0, *(match.end() for match in LINE_END.finditer(text))]


class Lines:
    """Translates between offsets into a text and 1-based lines and columns, in characters."""

    __slots__ = ("_ascii", "_length", "_starts", "_text", "newline")

    newline: str
    r"""The line end the text uses most; "\n" when it has none or there is a tie."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ascii = text.isascii()
        self._length = len(text)
        self._starts = line_starts(text)
        self.newline = _dominant_line_end(text)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset; the end of the text is a position too.

        Raises ValueError when the offset is not in the text.
        """
        if not 0 <= offset <= self._length:
            raise ValueError(f"offset {offset} is not in a text of {self._length} characters")
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of a position; a column may be one past the last character of its line.

        Raises ValueError when the position is not in the text.
        """
        if 1 <= line <= len(self._starts) and column >= 1:
            offset = self._starts[line - 1] + column - 1
            end = self._starts[line] if line < len(self._starts) else self._length
            if offset <= end:
                return offset
        raise ValueError(f"line {line}, column {column} is not in the text")

    def byte_offset(self, line: int, column: int) -> int:
        """The offset of a 1-based line and a 0-based column in UTF-8 bytes, as ``ast`` counts."""
        start = self._starts[line - 1]
        if self._ascii:
            return start + column
        encoded = self._text[start : start + column].encode(errors="surrogatepass")
        return start + len(encoded[:column].decode(errors="ignore"))

    def byte_position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and the 0-based column in UTF-8 bytes of an offset."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        if self._ascii:
            return line, offset - start
        return line, len(self._text[start:offset].encode(errors="surrogatepass"))

    def next_line(self, line: int) -> int:
        """Where the line after a 1-based line starts; the end of the text after the last."""
        return self._starts[line] if line < len(self._starts) else self._length


def _dominant_line_end(text: str) -> str:
    pairs = text.count("\r\n")
    counts = {"\n": text.count("\n") - pairs, "\r\n": pairs, "\r": text.count("\r") - pairs}
    return max(counts, key=counts.__getitem__)
