"""The places of TOML values: they are what tomllib reads, and go without harm."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from neuron_migrate.engine.texts.facts import ReadError
from neuron_migrate.engine.texts.toml import Document

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

EVERYTHING = r'''# top
title = "a # no comment"  # a comment
"quoted key" . 'other'.bare = 'literal \n'
number = 1_000.5 # a comment
date = 1979-05-27T07:32:00Z
long = """
lines with "quotes" \
   and a fold"""
raw = """""two quotes and four at the end""""
other = QQQ
it's
QQQ
empty = []
inline = { a = "x", b.c = ["y"], d = {} }

[table . name]
list = [ "a", 'b' , "c\u0041" ]
lines = [
    "one",  # first
    "two", "three",
    # alone
    ["nested", "deep"],
    { key = "value" },
    "last"
]
[[many]]
x = "1"
[[many]]
x = "2"
[many.sub]
y = "3"
'''.replace("QQQ", "'" * 3)


def leaves(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        return [leaf for key, each in value.items() for leaf in leaves(each, (*path, key))]
    if isinstance(value, list):
        return [leaf for each in value for leaf in leaves(each, (*path, "*"))]
    return [(path, value)]


@pytest.mark.parametrize("text", [EVERYTHING, EVERYTHING.replace("\n", "\r\n"), "", "a = 1", "# c"])
def test_entries_are_those_of_tomllib(text: str) -> None:
    found = [(each.path, each.value) for each in Document(text).entries]
    strings = {path for path, value in leaves(tomllib.loads(text)) if isinstance(value, str)}
    expected = [leaf for leaf in leaves(tomllib.loads(text)) if leaf[0] in strings]
    assert sorted(each for each in found if each[0] in strings) == sorted(expected)
    assert {path for path, _ in found} == {path for path, _ in leaves(tomllib.loads(text))}


def test_plain_entries_stand_where_they_say() -> None:
    for each in Document(EVERYTHING).entries:
        if each.plain:
            assert EVERYTHING[each.place.start : each.place.end] == each.value


def test_comments_are_those_outside_of_strings() -> None:
    document = Document(EVERYTHING)
    found = [EVERYTHING[each.start : each.end] for each in document.comments]
    assert found == ["# top", "# a comment", "# a comment", "# first", "# alone"]


@pytest.mark.parametrize("text", [EVERYTHING, EVERYTHING.replace("\n", "\r\n")])
def test_an_entry_goes_alone(text: str) -> None:
    """What is left is TOML and says the same, but for the entry."""
    entries = [each for each in Document(text).entries if each.removal is not None]
    assert len(entries) > 15
    before = leaves(tomllib.loads(text))
    for each in entries:
        assert each.removal is not None
        after = text[: each.removal.start] + text[each.removal.end :]
        assert tomlkit.parse(after).as_string() == after
        left = leaves(tomllib.loads(after))
        assert len(left) == len(before) - 1
        for leaf in left:
            assert leaf in before


LAYOUTS = (
    '["a"]',
    '["a", "b", "c"]',
    '[ "a" , "b" ]',
    '["a", "b",]',
    '[\n  "a",\n  "b"\n]',
    '[\n  "a", "b",\n  "c", # why\n  "d"\n]',
    '["a",\n "b",\n "c"]',
    '[\n  "a"\n  ,\n  "b"\n]',
    '["a", # x\n "b"]',
)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_entries_of_lists_go_one_after_the_other(layout: str, end: str) -> None:
    for first in "abcd":
        text = f"x = {layout}\ny = 1\n".replace("\n", end)
        order = sorted("abcd", key=lambda each: (each != first, each))
        for name in order:
            found = [each for each in Document(text).entries if each.value == name]
            for each in found:
                assert each.removal is not None
                values = tomllib.loads(text)["x"]
                text = text[: each.removal.start] + text[each.removal.end :]
                assert tomllib.loads(text) == {"x": [v for v in values if v != name], "y": 1}


@pytest.mark.parametrize(
    ("text", "line"), [("a = \n", 1), ("a = 1\nb = [1,\n[c]\nd = {", 3), ("a", 1), ('a = "\n', 1)]
)
def test_what_is_no_toml_is_refused_with_its_place(text: str, line: int) -> None:
    with pytest.raises(ReadError, match="not valid TOML") as caught:
        Document(text)
    assert text[: caught.value.offset].count("\n") + 1 >= line


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(ReadError, match="nested"):
        Document("a = " + "[" * 100_000)


def test_our_own_project() -> None:
    text = (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    assert len(Document(text).entries) == len(leaves(tomllib.loads(text)))
