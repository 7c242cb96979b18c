"""The formats that list findings: text, concise, JSON."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from neuron_migrate import __version__
from neuron_migrate.finding import FileResult, Finding
from neuron_migrate.report import concise, listing, text
from neuron_migrate.report import json as json_format
from neuron_migrate.report.risk import Skip, summarise
from tests.report import factory as make

ODD = "a\tb\nc\x1b[31m\udcff.py"


def test_text() -> None:
    findings = [
        make.finding(path="a.py"),
        make.unsafe(path="a.py", line=12, message="Short."),
        make.manual(cell=2, path="b.ipynb"),
    ]
    assert text.render(findings) == (
        "a.py\n"
        '  3:10 breaks NM101 cuda-device-string [*] The device "cuda" does not exist on\n'
        "      Trainium: torch raises here.\n"
        "  12:10 cpu NM101 cuda-device-string [unsafe] Short.\n"
        "\n"
        "b.ipynb\n"
        '  cell 2:3:10 breaks NM101 cuda-device-string The device "cuda" does not exist\n'
        "      on Trainium: torch raises here.\n"
        "      not fixed: it is built at run time\n"
        "\n"
    )


@pytest.mark.parametrize("width", [0, 60, 80, 200])
def test_text_keeps_to_the_width(width: int) -> None:
    lines = text.render([make.manual(message="word " * 60)], width=width).split("\n")
    assert max(map(len, lines)) <= max(width, 60)


def test_text_in_colour_says_the_same() -> None:
    findings = [make.finding(), make.manual(), make.unsafe()]
    colored = text.render(findings, color=True)
    assert "\x1b[" in colored
    assert _without_colour(colored) == text.render(findings)


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (make.finding(), f"train.py:3:10: NM101 [*] {make.MESSAGE}\n"),
        (make.unsafe(), f"train.py:3:10: NM101 [unsafe] {make.MESSAGE}\n"),
        (make.manual(), f"train.py:3:10: NM101 {make.MESSAGE}\n"),
        (make.manual(cell=4), f"train.py:cell 4:3:10: NM101 {make.MESSAGE}\n"),
        (make.manual(message="two\n  lines"), "train.py:3:10: NM101 two lines\n"),
    ],
)
def test_concise(finding: Finding, line: str) -> None:
    assert concise.render([finding]) == line


@pytest.mark.parametrize("render", [text.render, concise.render])
def test_a_path_cannot_forge_lines_or_colours(render: object) -> None:
    output = render([make.finding(path=ODD)])  # type: ignore[operator]
    assert "a\\tb\\nc\\x1b[31m\udcff.py" in output
    assert "\x1b" not in output


def test_json_is_exactly_the_contract() -> None:
    results = [make.result(make.finding(), make.manual(), make.advice())]
    summary = summarise(results, [Skip("link.py", "leads nowhere")])
    findings = listing.listed(results)
    rendered = json_format.render(findings, summary, target="neuron", sdk="2.33")
    document = json.loads(rendered)
    common = {
        "code": "NM101",
        "name": "cuda-device-string",
        "path": "train.py",
        "cell": None,
        "line": 3,
        "column": 10,
        "end_line": 3,
        "end_column": 16,
        "message": make.MESSAGE,
        "risk": "breaks",
        "confidence": "documented",
    }
    assert list(document) == ["schema", "tool", "target", "sdk", "findings", "summary"]
    assert list(document["findings"][0])[:12] == [*common, "fix"]
    assert document == {
        "schema": 1,
        "tool": {"name": "neuron-migrate", "version": __version__},
        "target": "neuron",
        "sdk": "2.33",
        "findings": [
            {**common, "fix": "safe", "not_fixed": None, "effort": "none", "shapes": None},
            {
                **common,
                "fix": None,
                "not_fixed": "it is built at run time",
                "effort": "low",
                "shapes": None,
            },
        ],
        "summary": {
            "verdict": "manual",
            "files_scanned": 1,
            "files_with_findings": 1,
            "files_failed": 0,
            "findings": 2,
            "fixable": 1,
            "by_risk": {"breaks": 2},
            "by_family": {"device": 2},
            "advice": 1,
            "compile_exposure": {
                "sites": 0,
                "unbounded": 0,
                "shapes": 0,
                "minutes": 0,
                "shapes_in_buckets_of_128": 0,
                "minutes_in_buckets_of_128": 0,
            },
            "skipped": [{"path": "link.py", "reason": "leads nowhere", "failed": True}],
        },
    }


def test_json_is_ascii_and_keeps_any_path() -> None:
    results = [make.result(make.finding(path=ODD, message="é"))]
    rendered = json_format.render(
        listing.listed(results), summarise(results), target="neuron", sdk=""
    )
    assert rendered.isascii()
    assert json.loads(rendered)["findings"][0]["path"] == ODD


def test_advice_is_listed_on_request() -> None:
    results = [make.result(make.advice(line=9), make.finding())]
    assert [f.code for f in listing.listed(results)] == ["NM101"]
    assert [f.code for f in listing.listed(results, show_advice=True)] == ["NM101", "NM210"]


def test_after_a_fix_the_rest_is_left() -> None:
    fixed = make.result(make.finding(), fixed="x", left=(make.manual(),))
    untouched = make.result(make.manual())
    assert listing.after_fix([fixed, untouched]) == [
        FileResult(path="train.py", findings=(make.manual(),)),
        untouched,
    ]


def test_formatters_import_no_command_line_and_no_engine() -> None:
    for module in Path(listing.__file__).parent.rglob("*.py"):
        source = module.read_text(encoding="utf-8")
        assert "neuron_migrate.cli" not in source
        assert "neuron_migrate.engine" not in source


def _without_colour(output: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", output)
