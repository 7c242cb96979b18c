"""The code that the page shows for a finding."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_migrate.finding import Edit
from neuron_migrate.report.html.changes import Hunk, hunks
from neuron_migrate.report.html.code import block, entries
from neuron_migrate.report.html.document import Document
from tests.report import factory as make
from tests.report.html import pages

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def entry(text: str, finding: Any) -> Any:
    return json.loads(block(entries([finding], {finding.path: text})))[0]


def replaced(text: str, *pairs: tuple[str, str]) -> tuple[Edit, ...]:
    return tuple(
        Edit(text.index(old), text.index(old) + len(old), new) for old, new in sorted(pairs)
    )


def test_a_finding_without_a_fix_shows_the_code_around_it() -> None:
    finding = make.manual(line=5, column=1, end_line=5, end_column=5)
    assert entry(LINES, finding) == {
        "cell": None,
        "first": 3,
        "lines": ["line 3", "line 4", "line 5", "line 6", "line 7"],
        "mark": [5, 1, 5, 5],
    }


def test_a_fix_shows_the_code_in_its_diff() -> None:
    assert entry(pages.CODE, pages.fixed()) == {
        "diff": [
            {
                "cell": None,
                "first": 1,
                "lines": [
                    " import torch",
                    " ",
                    '-x = torch.device("cuda")',
                    '+x = torch.device("neuron")',
                    " y = x",
                ],
            }
        ]
    }


def test_a_fix_elsewhere_shows_both() -> None:
    finding = make.finding(line=20, end_line=20, edits=replaced(LINES, ("line 2\n", "new\n")))
    assert {"first", "lines", "mark", "diff"} <= set(entry(LINES, finding))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        pytest.param(9, "x\n", id="the file has become shorter"),
        pytest.param(1, "", id="the file is empty"),
    ],
)
def test_a_text_that_is_not_what_it_was_shows_nothing(line: int, text: str) -> None:
    finding = make.finding(line=line, edits=(Edit(500, 501, "y"),))
    assert entry(text, finding) == {}


def test_a_file_that_cannot_be_read_shows_nothing() -> None:
    assert json.loads(block(entries([make.finding()], {}))) == [{}]


def test_long_findings_and_long_lines_are_cut() -> None:
    finding = make.manual(line=1, column=1, end_line=30, end_column=3)
    assert len(entry(LINES, finding)["lines"]) == 15
    [line] = entry("y" * 5000, make.manual(line=1, end_line=1))["lines"]
    assert len(line) == 1001


def test_what_is_marked_is_counted_as_shown() -> None:
    text = "\ta = '\u202e' + b\n"
    shown = entry(text, make.manual(line=1, column=12, end_line=1, end_column=13))
    assert shown["lines"] == ["\ta = '\\u202e' + b"]
    assert shown["mark"] == [1, 17, 1, 18]


def test_edits_apart_are_hunks_apart() -> None:
    edits = replaced(LINES, ("line 3\n", "new 3\n"), ("line 25", "new 25"))
    first, second = hunks(Document(LINES), make.finding(edits=tuple(sorted(edits))))
    assert first == Hunk(None, 1, (" line 1", " line 2", "-line 3", "+new 3", " line 4", " line 5"))
    assert (second.first, second.lines[2:4]) == (23, ("-line 25", "+new 25"))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end: str) -> None:
    text = f"a{end}b{end}c"
    edit = Edit(0, len(f"a{end}"), "")
    assert hunks(Document(text), make.finding(edits=(edit,))) == [Hunk(None, 1, ("-a", " b", " c"))]
    edit = Edit(len(text), len(text), f"{end}d")
    assert hunks(Document(text), make.finding(edits=(edit,))) == [Hunk(None, 2, (" b", " c", "+d"))]


def test_a_notebook_shows_its_cells() -> None:
    cells = [
        {"cell_type": "markdown", "source": "Hello"},
        {"cell_type": "code", "source": ["a = 1\n", 'x = "cuda"\n', "b = 2"]},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4})
    finding = make.finding(path="a.ipynb", cell=2, line=2, edits=replaced(text, ("cuda", "neuron")))
    assert hunks(Document(text), finding) == [
        Hunk(2, 1, (" a = 1", '-x = "cuda"', '+x = "neuron"', " b = 2"))
    ]
    assert entry(text, make.manual(cell=2, line=2, end_line=2))["lines"] == [
        "a = 1",
        'x = "cuda"',
        "b = 2",
    ]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cells": [3]}', "[" * 99_999])
def test_what_is_no_notebook_has_no_cells(text: str) -> None:
    assert Document(text).lines(1) == []
