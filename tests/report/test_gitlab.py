"""The Code Quality report of GitLab."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_migrate.finding import Risk
from neuron_migrate.report import gitlab
from neuron_migrate.report.located import fingerprints
from neuron_migrate.report.risk import Skip
from tests.report import factory as make
from tests.report import schemas
from tests.report.test_formats import ODD
from tests.report.test_located import at

WORD = {"type": "string", "minLength": 1}
LINES = {
    "type": "object",
    "required": ["begin"],
    "properties": {name: {"type": "integer", "minimum": 1} for name in ("begin", "end")},
}
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": WORD,
            "check_name": WORD,
            "fingerprint": WORD,
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {"path": WORD, "lines": LINES},
            },
        },
    },
}
"""What GitLab documents: https://docs.gitlab.com/ci/testing/code_quality/."""


def issues(*arguments: Any) -> Any:
    rendered = gitlab.render(*arguments)
    assert rendered.isascii()
    document = json.loads(rendered)
    assert schemas.problems(document, SCHEMA) == []
    return document


def test_an_issue() -> None:
    finding = at(make.manual(end_line=5))
    assert issues([finding]) == [
        {
            "description": f"NM101: {make.MESSAGE} Not fixed: it is built at run time.",
            "check_name": "NM101",
            "fingerprint": fingerprints([finding])[0],
            "severity": "critical",
            "location": {"path": "train.py", "lines": {"begin": 3, "end": 5}},
        }
    ]


@pytest.mark.parametrize(
    ("finding", "severity"),
    [
        (make.blocker(), "blocker"),
        (make.blocker(fix="safe"), "critical"),
        (make.finding(risk=Risk.WRONG), "critical"),
        (make.finding(risk=Risk.CPU), "major"),
        (make.finding(risk=Risk.RECOMPILES), "minor"),
        (make.finding(risk=Risk.SLOW), "minor"),
        (make.note(), "info"),
        (make.advice(), "info"),
    ],
)
def test_severities(finding: Any, severity: str) -> None:
    assert issues([at(finding)])[0]["severity"] == severity


def test_nothing_found_is_an_empty_list() -> None:
    assert gitlab.render([]) == "[]\n"


def test_a_cell_is_named() -> None:
    [issue] = issues([at(make.finding(cell=2, path="a.ipynb"))])
    assert issue["description"].startswith("NM101: cell 2, line 3: ")


def test_any_path_is_kept() -> None:
    assert issues([at(make.finding(path=ODD))])[0]["location"]["path"] == ODD


def test_what_was_not_read_is_an_issue() -> None:
    skips = [Skip("a.py", "leads nowhere"), Skip("b.py", "too large", failed=False)]
    [issue] = issues([], skips)
    assert (issue["check_name"], issue["location"]["path"]) == ("NM000", "a.py")
    assert issue["description"] == "NM000: Not analysed: leads nowhere."
