from __future__ import annotations

import pytest

from neuron_migrate.files.lines import Lines, line_starts

TEXTS = [
    pytest.param("", [0], id="empty"),
    pytest.param("a", [0], id="no-newline-at-end"),
    pytest.param("a\nb\n", [0, 2, 4], id="lf"),
    pytest.param("a\r\nb\r\n", [0, 3, 6], id="crlf"),
    pytest.param("a\rb\r", [0, 2, 4], id="lone-cr"),
    pytest.param("a\r\nb\nc\rd", [0, 3, 5, 7], id="mixed"),
    pytest.param("a\n\rb", [0, 2, 3], id="lf-then-cr"),
    pytest.param("\x0ca\x0b\x1c\x85\u2028\u2029b\n", [0, 9], id="not-line-ends"),
]


@pytest.mark.parametrize(("text", "starts"), TEXTS)
def test_line_starts(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts


@pytest.mark.parametrize(("text", "starts"), TEXTS)
def test_every_offset_has_a_position_and_back(text: str, starts: list[int]) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        line, column = lines.position(offset)
        assert starts[line - 1] + column - 1 == offset
        assert lines.offset(line, column) == offset


@pytest.mark.parametrize(
    ("offset", "position"),
    [
        pytest.param(0, (1, 1), id="start"),
        pytest.param(3, (1, 4), id="after-an-astral-character"),
        pytest.param(6, (2, 1), id="second-line"),
        pytest.param(7, (2, 2), id="end"),
    ],
)
def test_columns_count_characters(offset: int, position: tuple[int, int]) -> None:
    assert Lines("x😀é'\r\ny").position(offset) == position


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_is_refused(offset: int) -> None:
    with pytest.raises(ValueError, match="not in a text of 3 characters"):
        Lines("a\nb").position(offset)


@pytest.mark.parametrize("position", [(0, 1), (1, 0), (1, 4), (2, 3), (3, 1)])
def test_a_position_outside_is_refused(position: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="is not in the text"):
        Lines("a\nb").offset(*position)


@pytest.mark.parametrize(
    ("text", "newline"),
    [
        pytest.param("", "\n", id="none"),
        pytest.param("a\r\nb\r\nc\n", "\r\n", id="crlf"),
        pytest.param("a\r\nb\nc\n", "\n", id="lf"),
        pytest.param("a\rb\rc\r\n", "\r", id="cr"),
        pytest.param("a\r\nb\n", "\n", id="tie"),
    ],
)
def test_newline(text: str, newline: str) -> None:
    assert Lines(text).newline == newline


@pytest.mark.parametrize("text", ["a = 1\nb\r\n", "é😀x\r'日本'\n", "\x0cé"], ids=ascii)
def test_byte_columns_are_those_of_ast(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        line, column = lines.byte_position(offset)
        start = lines.offset(line, 1)
        assert column == len(text[start:offset].encode())
        assert lines.byte_offset(line, column) == offset


def test_next_line() -> None:
    lines = Lines("a\r\nb\nc")
    assert [lines.next_line(line) for line in (1, 2, 3)] == [3, 5, 6]
