"""The code of the findings as the page holds it."""

from __future__ import annotations

import json
from typing import Any

from neuron_migrate.report.html.code import Place, Text, block
from tests.report import factory as make
from tests.report.html import pages

LINES = "".join(f"line {number}\n" for number in range(1, 31))


def place(finding: Any, **given: Any) -> Place:
    facts = {"number": 0, "kind": "by_hand", "resolved": False, "after": False}
    return Place(finding=finding, **{**facts, **given})


def data(text: Text | None, *places: Place) -> Any:
    texts = {} if text is None else {"train.py": text}
    return json.loads(block([("train.py", places)], texts))


def test_what_a_fix_resolves_is_in_the_change_of_the_file() -> None:
    made = data(Text(pages.CODE, pages.FIXED), place(pages.fixed(), resolved=True))
    [part] = made["files"][0]
    assert part["rows"][2][0::2] == [3, 3]
    assert part["rows"][3] == {"left": [0]}
    assert made["fixes"] == {}


def test_a_fix_that_stays_a_choice_is_shown_with_its_finding() -> None:
    made = data(Text(pages.CODE, pages.CODE), place(pages.fixed(fix="unsafe"), number=7))
    assert all(len(row) == 3 for row in made["files"][0][0]["rows"] if isinstance(row, list))
    assert [row for row in made["fixes"]["7"][0]["rows"] if len(row) == 4]


def test_what_is_left_is_at_the_lines_of_the_text_after() -> None:
    left = place(make.manual(line=4, column=1, end_line=4, end_column=2), number=1, after=True)
    done = place(pages.fixed(), resolved=True)
    rows = data(Text(pages.CODE, f"\n{pages.FIXED}"), done, left)["files"][0][0]["rows"]
    changed = [[3, 4], {"left": [0]}, {"right": [1]}]
    assert [[row[0], row[2]] if len(row) == 4 else row for row in rows if len(row) != 3] == [
        [0, 1],
        *changed,
    ]


def test_a_file_that_cannot_be_read_shows_nothing() -> None:
    assert data(None, place(make.finding())) == {"files": [None], "fixes": {}}


def test_an_empty_file_shows_nothing() -> None:
    assert data(Text("", ""), place(make.finding())) == {"files": [[]], "fixes": {}}


def test_a_page_about_much_code_holds_only_what_it_shows() -> None:
    finding = place(make.manual(line=15))
    assert "rows" in data(Text(LINES, LINES), finding)["files"][0][0]
    large = LINES + "#" * 2_000_000
    assert data(Text(large, large), finding)["files"][0][0] == {"fold": 11}


def test_a_file_of_one_huge_line_is_cut() -> None:
    minified = "{" + '"key": [1, 2], ' * 50_000 + "}"
    finding = place(make.manual(line=1, column=400_000, end_line=1, end_column=400_010))
    assert len(block([("train.py", [finding])], {"train.py": Text(minified, minified)})) < 2000
