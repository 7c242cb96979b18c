from __future__ import annotations

import ast
import os
import pickle
import socket
from pathlib import Path

import pytest

from neuron_migrate.files.source import SourceError, decode, read

BOM = b"\xef\xbb\xbf"

ACCEPTED = [
    pytest.param(b"", "utf-8", id="empty"),
    pytest.param(b"d = 'cuda'", "utf-8", id="no-newline-at-end"),
    pytest.param(b"a\r\nb\r\n", "utf-8", id="crlf"),
    pytest.param(b"a\r\nb\nc\rd\r\n", "utf-8", id="mixed-ends"),
    pytest.param(b"a = 1\rb = 2\r", "utf-8", id="lone-cr"),
    pytest.param(b"a\n\x0c\nb\n\x0b\x1c\x1d\x1e", "utf-8", id="form-feed"),
    pytest.param("x = '\u2028\u0085é😀'\n".encode(), "utf-8", id="unicode"),
    pytest.param(BOM + b"import torch\n", "utf-8", id="bom"),
    pytest.param(BOM + BOM + b"x\n", "utf-8", id="two-boms"),
    pytest.param(BOM + b"# coding: utf-8\n", "utf-8", id="bom-and-cookie"),
    pytest.param(b"# coding: utf-8-sig\n", "utf-8", id="cookie-sig"),
    pytest.param(b"# -*- coding: latin-1 -*-\nn = 'caf\xe9'\n", "iso8859-1", id="latin-1"),
    pytest.param(
        b"#!/usr/bin/python\n# vim: set fileencoding=koi8-r :\n'\xd2'", "koi8-r", id="koi8"
    ),
    pytest.param(b"# coding: gbk\r\nx = '\xc4\xe3\xba\xc3'\r\n", "gbk", id="gbk"),
    pytest.param(b"\x0c\n# coding=cp1252\nx = '\x80'\n", "cp1252", id="second-line-form-feed"),
    pytest.param(b"#!python\r# coding: latin-1\r'\xe9'\r", "iso8859-1", id="second-lone-cr-line"),
    pytest.param(b"x = 1\n# coding: latin-1\n", "utf-8", id="cookie-after-code"),
    pytest.param(b"#\n#\n# coding: latin-1\n", "utf-8", id="cookie-on-line-3"),
    pytest.param(b"'''\n# coding: nonsense\n'''", "utf-8", id="cookie-in-a-string"),
    pytest.param(b"# coding: shift_jis\nx = '\x83\x5c'\n", "shift_jis", id="trail-byte-backslash"),
]


@pytest.mark.parametrize(("data", "encoding"), ACCEPTED)
def test_bytes_come_back(data: bytes, encoding: str) -> None:
    source = decode(data)
    assert source.encoding == encoding
    assert source.encode(source.text) == data
    assert source.bom == (BOM if data.startswith(BOM) else b"")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        pytest.param(BOM + b"x\n", "x\n", id="without-bom"),
        pytest.param(b"a\r\nb\rc\n", "a\r\nb\rc\n", id="ends-untranslated"),
        pytest.param(b"# coding: koi8-r\n'\xd2'", "# coding: koi8-r\n'р'", id="koi8-r"),  # noqa: RUF001
    ],
)
def test_text(data: bytes, text: str) -> None:
    assert decode(data).text == text


@pytest.mark.parametrize(
    ("data", "reason", "line"),
    [
        pytest.param(
            b"x = '\xff\xfe'\n",
            "cannot decode: byte 0xff at offset 5 is not valid utf-8",
            1,
            id="undecodable",
        ),
        pytest.param(
            BOM + b"\r\n\r'\xe9'\n",
            "cannot decode: byte 0xe9 at offset 7 is not valid utf-8",
            3,
            id="offset-counts-the-bom-line-counts-every-end",
        ),
        pytest.param(
            b"#!python\n# coding: ascii\n\n'\xe9'",
            "cannot decode: byte 0xe9 at offset 27 is not valid ascii",
            4,
            id="wrong-cookie",
        ),
        pytest.param(
            b"# coding: gbk\n'\x81'", "byte 0x81 at offset 15 is not valid gbk", 2, id="broken-gbk"
        ),
        pytest.param(
            b"\n# coding: klingon\n", "unknown encoding 'klingon'", 2, id="unknown-cookie"
        ),
        pytest.param(b"# coding: hex\n", "unknown encoding 'hex'", 1, id="bytes-codec"),
        pytest.param(b"# coding: rot13\n", "unknown encoding 'rot13'", 1, id="text-codec"),
        pytest.param(b"# coding: undefined\n", "unknown encoding", 1, id="codec-that-raises"),
        pytest.param(b"# coding: punycode\nx", "cannot decode", 1, id="codec-without-offset"),
        pytest.param(b"# coding: " + b"a" * 9000, "unknown encoding 'aaa", 1, id="endless-cookie"),
        pytest.param(
            BOM + b"# coding: latin-1\n",
            "the cookie says 'latin-1', the BOM says UTF-8",
            1,
            id="bom-contradicts-cookie",
        ),
        pytest.param("x = 1\n".encode("utf-16"), "UTF-16", 1, id="utf-16"),
        pytest.param(b"\xfe\xff\0x", "UTF-16", 1, id="utf-16-be"),
        pytest.param(b"\0\1cuda\n", "binary file: NUL byte at offset 0", 1, id="nul"),
        pytest.param(b"a\nb\0", "binary file: NUL byte at offset 3", 2, id="nul-later"),
        pytest.param(
            b"# coding: cp932\n'\x87\x90'", "would not write the same bytes", 1, id="no-way-back"
        ),
    ],
)
def test_refused(data: bytes, reason: str, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        decode(data)
    assert reason in str(caught.value)
    assert caught.value.line == line


@pytest.mark.parametrize(("data", "encoding"), ACCEPTED)
def test_python_reads_the_same_text(data: bytes, encoding: str) -> None:
    try:
        theirs = ast.dump(ast.parse(data))
    except SyntaxError:
        pytest.skip("not a program")
    assert ast.dump(ast.parse(decode(data).text)) == theirs


def test_text_without_bytes_in_the_codec() -> None:
    source = decode(b"# coding: latin-1\r\nx\r\n")
    with pytest.raises(SourceError, match=r"cannot encode '\\u20ac' in iso8859-1") as caught:
        source.encode("# coding: latin-1\r\nx = '€'\r\n")
    assert caught.value.line == 2


def test_error_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(SourceError("why", 3)))
    assert (error.reason, error.line, str(error)) == ("why", 3, "why")


def test_read_gives_the_bytes(tmp_path: Path) -> None:
    file = tmp_path / os.fsdecode(b"a b\xff.py")
    file.write_bytes(b"a\r\n\0\xff")
    assert read(file) == b"a\r\n\0\xff"
    assert read(file, 2) == b"a\r"


def test_read_refuses_what_is_not_a_file(tmp_path: Path) -> None:
    folder, pipe, plug = tmp_path / "d.py", tmp_path / "f.py", tmp_path / "s.py"
    folder.mkdir()
    os.mkfifo(pipe)
    loop = tmp_path / "l.py"
    loop.symlink_to(loop)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(plug))
        reasons = {}
        for path in (folder, pipe, plug, loop, tmp_path / "gone.py", Path(os.devnull)):
            with pytest.raises(SourceError) as caught:
                read(path)
            reasons[path.name] = caught.value.reason
    assert reasons == {
        "d.py": "cannot read: Is a directory",
        "f.py": "cannot read: not a regular file",
        "s.py": "cannot read: No such device or address",
        "l.py": "cannot read: Too many levels of symbolic links",
        "gone.py": "cannot read: No such file or directory",
        "null": "cannot read: not a regular file",
    }


def test_read_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(SourceError, match="cannot read: Permission denied"):
        read(tmp_path / "x.py")
