"""Where offsets are, in the units of the protocol."""

from __future__ import annotations

import pytest
from lsprotocol import types
from pygls.workspace import PositionCodec

from neuron_migrate.engine.edits import apply
from neuron_migrate.report.located import Region
from neuron_migrate.server.changes import between
from neuron_migrate.server.documents import Text, place_of
from neuron_migrate.server.positions import Positions

TEXT = "a\r\n\té😀x\x0cy\u2028z\rlast"


@pytest.mark.parametrize(
    ("encoding", "column"), [("utf-8", 7), ("utf-16", 4), ("utf-32", 3), ("unknown", 4)]
)
def test_columns(encoding: str, column: int) -> None:
    positions = Positions(TEXT, encoding)
    assert positions.position(TEXT.index("x")) == types.Position(1, column)
    assert positions.position(TEXT.index("last")) == types.Position(2, 0)
    assert positions.position(len(TEXT)) == types.Position(2, 4)


def test_a_byte_order_mark_is_a_character_of_the_first_line() -> None:
    positions = Positions("\ufeffab\nc", "utf-16")
    assert positions.range(0, 3) == types.Range(types.Position(0, 1), types.Position(1, 0))
    region = positions.of_region(Region(1, 1, 2, 1))
    assert region == types.Range(types.Position(0, 1), types.Position(1, 0))


def test_a_region_that_is_not_in_the_text_ends_with_it() -> None:
    found = Positions("ab\nc", "utf-16").of_region(Region(1, 9, 7, 1))
    assert found == types.Range(types.Position(1, 0), types.Position(1, 1))


def test_only_line_ends_end_lines() -> None:
    text = Text("file:///a.py", TEXT, position_codec=PositionCodec("utf-16"))
    assert list(text.lines) == ["a\r\n", "\té😀x\x0cy\u2028z\r", "last"]
    change = types.TextDocumentContentChangePartial(
        range=types.Range(types.Position(2, 0), types.Position(2, 4)), text="new"
    )
    text.apply_change(change)
    assert text.source == TEXT.replace("last", "new")


@pytest.mark.parametrize(
    ("uri", "language", "name"),
    [
        ("untitled:Untitled-1", "python", "untitled.py"),
        ("untitled:Untitled-1", "dockerfile", "Dockerfile"),
        ("vscode-vfs://github/a/b.py", "python", "b.py"),
        ("file:///a%20b.py", "python", "/a b.py"),
        ("x:", None, "untitled"),
    ],
)
def test_names(uri: str, language: str | None, name: str) -> None:
    assert place_of(uri, language).name == name


@pytest.mark.parametrize("after", ["", "a\nB\nc\nd\n", "b\nc\n", "a\nb\nc", "a\r\nb\nc\n"])
def test_differences_are_edits(after: str) -> None:
    before = "a\nb\nc\n"
    assert apply(before, between(before, after)) == after


def test_lines_between_changes_are_left_alone() -> None:
    assert [(e.start, e.end) for e in between("a\nb\nc\n", "A\nb\nC\n")] == [(0, 2), (4, 6)]
