"""Workflow commands of GitHub Actions."""

from __future__ import annotations

import pytest

from neuron_migrate.finding import Risk
from neuron_migrate.report import github
from neuron_migrate.report.located import Located, Region
from neuron_migrate.report.risk import Skip
from tests.report import factory as make
from tests.report.test_located import at


def test_a_command() -> None:
    assert github.render([at(make.finding())]) == (
        "::error title=NM101 cuda-device-string,file=train.py,line=3,endLine=3,col=10,endColumn=16"
        f"::train.py:3:10: NM101 [*] {make.MESSAGE}\n"
    )


def test_columns_are_left_out_where_they_are_not_understood() -> None:
    line = github.render([at(make.finding(end_line=4, end_column=2))])
    assert ",line=3,endLine=4::" in line


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"risk": Risk.BREAKS}, "error"),
        ({"risk": Risk.WRONG}, "error"),
        ({"risk": Risk.CPU}, "warning"),
        ({"risk": Risk.SLOW}, "warning"),
        ({"risk": Risk.INFO}, "notice"),
        ({"risk": Risk.BREAKS, "advice": True}, "notice"),
    ],
)
def test_the_command_says_how_bad_it_is(given: dict[str, object], command: str) -> None:
    assert github.render([at(make.finding(**given))]).startswith(f"::{command} ")


def test_what_is_special_is_escaped() -> None:
    path = "a,b:c%\n::error::\r.py"
    line = github.render([at(make.finding(path=path, message="50% of\nit: a, b"))])
    assert line.count("\n") == 1
    assert ",file=a%2Cb%3Ac%25%0A%3A%3Aerror%3A%3A%0D.py,line=" in line
    assert line.endswith(": NM101 [*] 50%25 of it: a, b\n")


def test_the_worst_come_first() -> None:
    findings = [
        at(make.advice(path="a.py")),
        at(make.finding(path="b.py", risk=Risk.SLOW)),
        at(make.finding(path="c.py")),
        at(make.finding(path="d.py")),
    ]
    lines = github.render(findings).splitlines()
    assert [line.partition("file=")[2][0] for line in lines] == ["c", "d", "b", "a"]


def test_a_cell_is_named_and_its_place_is_that_in_the_file() -> None:
    finding = make.finding(path="a.ipynb", cell=2)
    line = github.render([Located(finding=finding, region=Region(40, 6, 40, 12))])
    assert "file=a.ipynb,line=40,endLine=40,col=6,endColumn=12::a.ipynb:cell 2:3:10: " in line


def test_what_was_not_read_is_an_error() -> None:
    skips = [Skip("link.py", "leads nowhere"), Skip("big.py", "too large", failed=False)]
    assert github.render([], skips) == (
        "::error title=NM000 not-analysed,file=link.py::link.py: NM000 leads nowhere\n"
    )


def test_nothing_found_nothing_said() -> None:
    assert github.render([]) == ""
