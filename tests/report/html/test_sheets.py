"""The sheets on which a file is shown, and the places that a fix changes."""

from __future__ import annotations

import json

import pytest

from neuron_migrate.finding import Edit
from neuron_migrate.report.html.document import Document
from neuron_migrate.report.html.sheets import Sheet, of_file, of_fix
from tests.report import factory as make

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def notebook(*cells: str) -> Document:
    made = [{"cell_type": "code", "source": cell.splitlines(keepends=True)} for cell in cells]
    return Document(json.dumps({"cells": made, "nbformat": 4}))


def replaced(text: str, *pairs: tuple[str, str]) -> tuple[Edit, ...]:
    edits = (Edit(text.index(old), text.index(old) + len(old), new) for old, new in pairs)
    return tuple(sorted(edits))


def test_a_file_is_one_sheet() -> None:
    assert of_file("a.py", Document("a\nb"), Document("c\n")) == [Sheet(["a", "b"], ["c"])]
    assert of_file("a.py", Document(""), Document("")) == [Sheet([], [])]


def test_a_notebook_has_one_for_each_cell() -> None:
    sheets = of_file("a.ipynb", notebook("a\nb", "c"), notebook("a\nx", "c", "d"))
    assert sheets == [
        Sheet(["a", "b"], ["a", "x"], 1),
        Sheet(["c"], ["c"], 2),
        Sheet([], ["d"], 3),
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [3]}', "[" * 99_999])
def test_what_is_no_notebook_is_shown_as_text(text: str) -> None:
    [sheet] = of_file("a.ipynb", Document(text), Document(text))
    assert (sheet.cell, "".join(sheet.before)) == (None, text)


def test_edits_apart_are_places_apart() -> None:
    edits = replaced(LINES, ("line 25", "new 25"), ("line 3\n", "new 3\n"))
    first, second = of_fix(Document(LINES), make.finding(edits=edits))
    assert first == Sheet(
        ["line 1", "line 2", "line 3", "line 4", "line 5", "line 6"],
        ["line 1", "line 2", "new 3", "line 4", "line 5", "line 6"],
    )
    assert (second.first, second.before[2], second.after[2]) == (23, "line 25", "new 25")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = f"a{end}b{end}c"
    edit = Edit(0, len(f"a{end}"), "")
    assert of_fix(Document(text), make.finding(edits=(edit,))) == [
        Sheet(["a", "b", "c"], ["b", "c"])
    ]
    edit = Edit(len(text), len(text), f"{end}d")
    assert of_fix(Document(text), make.finding(edits=(edit,))) == [
        Sheet(["a", "b", "c"], ["a", "b", "c", "d"])
    ]


def test_a_fix_in_a_notebook_shows_the_cells_it_changes() -> None:
    document = notebook("a = 1", 'x = "cuda"\nb = 2')
    edits = replaced(document.text, ("cuda", "neuron"))
    finding = make.finding(path="a.ipynb", cell=2, line=1, edits=edits)
    assert of_fix(document, finding) == [
        Sheet(['x = "cuda"', "b = 2"], ['x = "neuron"', "b = 2"], 2)
    ]


@pytest.mark.parametrize("text", ["x\n", ""])
def test_a_fix_of_another_text_shows_nothing(text: str) -> None:
    assert of_fix(Document(text), make.finding(edits=(Edit(500, 501, "y"),))) == []
