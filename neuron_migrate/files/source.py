"""Python source between bytes and text: nothing is translated, and the way back is exact."""

from __future__ import annotations

import codecs
import os
import re
import stat
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.lines import LINE_END

if TYPE_CHECKING:
    from pathlib import Path

_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_NO_CODE = re.compile(rb"[ \t\f]*(?:#|$)")
_BYTE_LINE_END = re.compile(LINE_END.pattern.encode())
_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class SourceError(Exception):
    """A file cannot be read, decoded or encoded; ``line`` is 1-based, 1 when unknown."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason, line)
        self.reason = reason
        self.line = line

    def __str__(self) -> str:
        return self.reason


class Source(msgspec.Struct, frozen=True):
    """A decoded file; encoding its own text gives the bytes it was decoded from."""

    text: str
    """Without the BOM; line ends exactly as in the file."""
    encoding: str
    bom: bytes

    def encode(self, text: str) -> bytes:
        """The bytes of a text in this file's codec, after its BOM.

        Raises SourceError when the codec has no bytes for a character.
        """
        try:
            return self.bom + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            character = text[error.start]
            line = len(LINE_END.findall(text, 0, error.start)) + 1
            reason = f"cannot encode {character!a} in {self.encoding}, the encoding of the file"
            raise SourceError(reason, line) from error


def decode(data: bytes) -> Source:
    """The source in the encoding its BOM or PEP 263 cookie declares, UTF-8 without either.

    Raises SourceError for binary data, UTF-16, a cookie that is unknown or contradicts the BOM,
    and bytes that are not valid in the encoding or that it would write in another way.
    """
    if data.startswith(_UTF16_BOMS):
        raise SourceError("cannot decode: UTF-16 data, which Python does not read as source")
    if (nul := data.find(b"\0")) >= 0:
        raise SourceError(f"binary file: NUL byte at offset {nul}", _line_at(data, nul))
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    body = data[len(bom) :]
    encoding = _encoding(body, bom)
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        offset = error.start + len(bom)
        reason = f"byte 0x{data[offset]:02x} at offset {offset} is not valid {encoding}"
        raise SourceError(f"cannot decode: {reason}", _line_at(data, offset)) from error
    except UnicodeError as error:
        raise SourceError(f"cannot decode: {error}") from error
    source = Source(text, encoding, bom)
    if encoding != "utf-8" and source.encode(text) != data:
        raise SourceError(f"cannot decode: {encoding} would not write the same bytes again")
    return source


def of_text(text: str) -> Source:
    """The source of a text that was decoded before: a cookie in it no longer says anything."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return Source(text.removeprefix(mark), "utf-8", mark.encode())


def read(path: Path, limit: int = -1) -> bytes:
    """The bytes of a regular file, at most ``limit`` of them when it is not negative.

    Raises SourceError for anything else, and never waits for a FIFO to be written.
    """
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SourceError("cannot read: not a regular file")
            return file.read(limit)
    except OSError as error:
        raise SourceError(f"cannot read: {error.strerror}") from error


def _open_without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _encoding(body: bytes, bom: bytes) -> str:
    # Two lines can declare an encoding; the rest of the file stays in the third part.
    for number, line in enumerate(_BYTE_LINE_END.split(body, 2)[:2], 1):
        if cookie := _COOKIE.match(line):
            return _codec(cookie[1].decode(), bom, number)
        if not _NO_CODE.match(line):
            break
    return "utf-8"


def _codec(cookie: str, bom: bytes, line: int) -> str:
    try:
        "".encode(cookie)  # refuses byte-to-byte codecs such as hex, which codecs.lookup finds
        name = codecs.lookup(cookie).name
    except (LookupError, UnicodeError) as error:
        raise SourceError(f"cannot decode: unknown encoding {cookie[:40]!r}", line) from error
    name = name.removesuffix("-sig")
    if bom and name != "utf-8":
        raise SourceError(f"cannot decode: the cookie says {cookie!r}, the BOM says UTF-8", line)
    return name


def _line_at(data: bytes, offset: int) -> int:
    return len(_BYTE_LINE_END.findall(data, 0, offset)) + 1
