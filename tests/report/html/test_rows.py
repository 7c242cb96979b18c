"""The rows of a diff: what is shown, what is folded, and where the findings are."""

from __future__ import annotations

from typing import Any

import pytest

from neuron_migrate.report.html.rows import Side, parts
from neuron_migrate.report.html.sheets import Sheet
from tests.report import factory as make

LINES = [f"line {number}" for number in range(1, 31)]


def side(*findings: Any, lines: list[str] = LINES) -> Side:
    return Side.of(enumerate(findings), lines)


def shown(before: list[str], after: list[str], left: Side, right: Side, **given: Any) -> Any:
    return parts(Sheet(before, after), left, right, **{"whole": False} | given)


def test_a_finding_is_shown_under_its_line_with_the_lines_around_it() -> None:
    finding = make.manual(line=15, column=1, end_line=15, end_column=5)
    assert shown(LINES, LINES, side(finding), side()) == [
        {"fold": 11},
        {
            "rows": [
                [12, 12, "line 12"],
                [13, 13, "line 13"],
                [14, 14, "line 14"],
                [15, 15, [[2, "line"], [0, " 15"]]],
                {"left": [0]},
                [16, 16, "line 16"],
                [17, 17, "line 17"],
                [18, 18, "line 18"],
            ]
        },
        {"fold": 12},
    ]


def test_what_is_folded_can_be_held() -> None:
    made = shown(LINES, LINES, side(make.manual(line=15)), side(), whole=True)
    assert made[0]["rows"] == [[n, n, f"line {n}"] for n in range(1, 12)]
    assert made[0]["fold"] == 11


@pytest.mark.parametrize(("line", "fold"), [(4, None), (5, None), (6, 2)])
def test_a_single_line_is_not_folded(line: int, fold: int | None) -> None:
    assert shown(LINES, LINES, side(make.manual(line=line)), side())[0].get("fold") == fold


def test_a_change_has_both_sides() -> None:
    before, after = ["a", 'x = "cuda"', "b"], ["a", 'x = "neuron"', "new", "b"]
    finding = make.finding(line=2, column=5, end_line=2, end_column=11)
    assert shown(before, after, side(finding, lines=before), side()) == [
        {
            "rows": [
                [1, 1, "a"],
                [
                    2,
                    [[0, "x = "], [2, '"'], [3, "cuda"], [2, '"']],
                    2,
                    [[0, 'x = "'], [1, "neuron"], [0, '"']],
                ],
                {"left": [0]},
                [0, None, 3, "new"],
                [3, 4, "b"],
            ]
        }
    ]


def test_what_is_found_in_the_text_after_is_on_the_right() -> None:
    [part] = shown(["a"], ["b"], side(), side(make.manual(line=1, end_line=1), lines=["b"]))
    assert part["rows"] == [[1, "a", 1, "b"], {"right": [0]}]


def test_findings_at_one_line_are_together() -> None:
    findings = (make.manual(line=2, column=1), make.manual(line=2, column=4), make.manual(line=2))
    [part, _] = shown(LINES, LINES, side(*findings), side())
    assert {"left": [0, 1, 2]} in part["rows"]


def test_a_tall_finding_is_marked_where_it_starts() -> None:
    made = Side.of([(0, make.manual(line=2, column=3, end_line=30, end_column=3))], LINES)
    assert made.marks[1] == [(2, 6)]
    assert made.marks[2] == [(0, 6)]
    assert max(made.marks) == 12


@pytest.mark.parametrize("lines", [[], ["x"]])
def test_a_finding_beyond_the_text_has_no_place(lines: list[str]) -> None:
    assert shown(lines, lines, side(make.manual(line=9), lines=lines), side()) == []


def test_nothing_found_and_nothing_changed_is_nothing() -> None:
    assert shown(LINES, LINES, side(), side()) == []


def test_cells_are_named() -> None:
    [part] = parts(Sheet(["a"], ["b"], 3), side(), side(), whole=False)
    assert part == {"cell": 3, "rows": [[1, "a", 1, "b"]]}
