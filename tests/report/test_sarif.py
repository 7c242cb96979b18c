"""SARIF: valid, complete, and applicable."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_migrate import __version__
from neuron_migrate.catalog import loader
from neuron_migrate.report import sarif
from neuron_migrate.report.located import Located, Region, Replacement
from neuron_migrate.report.risk import Skip, summarise
from tests.report import factory as make
from tests.report import schemas
from tests.report.test_formats import ODD
from tests.report.test_located import at

RULES = {rule.code: rule for rule in loader.load().rules}
FIXED = Located(
    finding=make.finding(),
    region=Region(3, 10, 3, 16),
    line='x.to("cuda")',
    replacements=(Replacement(Region(3, 10, 3, 16), '"neuron"'),),
)
SKIPS = [Skip("link.py", "leads nowhere"), Skip("big.py", "too large", failed=False)]


def log(*findings: Located, skips: list[Skip] | None = None) -> Any:
    summary = summarise([make.result(*(each.finding for each in findings))], skips or [])
    rendered = sarif.render(findings, summary, RULES, target="neuron", sdk="2.33")
    assert rendered.isascii()
    return json.loads(rendered)


def run(*findings: Located, skips: list[Skip] | None = None) -> Any:
    return log(*findings, skips=skips)["runs"][0]


@pytest.mark.parametrize(
    "findings",
    [
        pytest.param([], id="nothing"),
        pytest.param([FIXED], id="fix"),
        pytest.param([at(make.unsafe()), at(make.manual(cell=2, path="a.ipynb"))], id="others"),
        pytest.param([at(make.failure(end_column=10))], id="not analysed"),
        pytest.param([at(make.finding(path=ODD))], id="odd path"),
        pytest.param([at(make.finding(code="NM999", name="own-rule"))], id="unknown rule"),
    ],
)
def test_the_log_is_valid(findings: list[Located]) -> None:
    assert schemas.problems(log(*findings, skips=SKIPS), schemas.sarif()) == []


def test_every_rule_of_the_catalog_is_valid() -> None:
    findings = [at(make.finding(code=code, name=rule.name)) for code, rule in RULES.items()]
    document = log(*findings)
    assert schemas.problems(document, schemas.sarif()) == []
    assert len(document["runs"][0]["tool"]["driver"]["rules"]) == len(RULES)


def test_the_driver_describes_the_rules_that_fired() -> None:
    driver = run(at(make.blocker()), FIXED)["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("neuron-migrate", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["NM101", "NM701"]
    [rule, _] = driver["rules"]
    fact = RULES["NM101"]
    assert rule["name"] == fact.name
    assert rule["shortDescription"] == {"text": fact.summary}
    assert rule["fullDescription"] == {"text": " ".join(fact.why.split())}
    assert rule["helpUri"] == fact.sources[0]
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert all(source in rule["help"]["text"] for source in fact.sources)
    assert all(f"<{source}>" in rule["help"]["markdown"] for source in fact.sources)
    assert rule["properties"] == {
        "risk": "breaks",
        "confidence": fact.confidence,
        "family": "device",
        "effort": fact.effort,
        "sdk": fact.sdk,
        "tags": ["device"],
        "precision": "high",
        "problem.severity": "error",
    }


def test_a_result() -> None:
    [_, result] = run(at(make.blocker()), FIXED)["results"]
    [fix] = result["fixes"]
    region = {"startLine": 3, "startColumn": 10, "endLine": 3, "endColumn": 16}
    artifact = {"uri": "train.py", "uriBaseId": "SRCROOT"}
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("NM101", 0, "error")
    assert result["message"] == {"text": make.MESSAGE}
    assert result["locations"] == [
        {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    ]
    assert list(result["partialFingerprints"]) == ["neuronMigrate/v1"]
    assert fix["artifactChanges"] == [
        {
            "artifactLocation": artifact,
            "replacements": [
                {"deletedRegion": region, "insertedContent": {"text": '"neuron"'}},
            ],
        }
    ]
    assert fix["properties"] == {"safety": "safe"}


def test_a_result_without_edits_has_no_fixes() -> None:
    assert "fixes" not in run(at(make.manual()))["results"][0]


def test_a_cell_is_named() -> None:
    [result] = run(at(make.finding(path="a.ipynb", cell=2)))["results"]
    assert result["message"]["text"].startswith("Cell 2, line 3: ")
    [place] = result["locations"][0]["logicalLocations"]
    assert (place["name"], place["fullyQualifiedName"]) == ("cell 2", "a.ipynb:cell 2")


@pytest.mark.parametrize(
    ("path", "artifact"),
    [
        ("a b/ü#1%.py", {"uri": "a%20b/%C3%BC%231%25.py", "uriBaseId": "SRCROOT"}),
        ("c:d.py", {"uri": "c%3Ad.py", "uriBaseId": "SRCROOT"}),
        ("\udcff.py", {"uri": "%FF.py", "uriBaseId": "SRCROOT"}),
        ("../x.py", {"uri": "../x.py", "uriBaseId": "SRCROOT"}),
        ("/x y.py", {"uri": "file:///x%20y.py"}),
    ],
)
def test_paths_are_references(path: str, artifact: dict[str, str]) -> None:
    [result] = run(at(make.finding(path=path)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == artifact


def test_what_was_not_read_is_a_notification_and_what_did_not_parse_a_result() -> None:
    told = run(at(make.failure()), skips=SKIPS)
    [invocation] = told["invocations"]
    notes = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is True
    assert [(note["level"], note["message"]["text"]) for note in notes] == [
        ("warning", "link.py: leads nowhere"),
        ("note", "big.py: too large"),
    ]
    assert [result["ruleId"] for result in told["results"]] == ["NM000"]


def test_columns_are_characters_and_lines_end_as_in_python() -> None:
    told = run()
    assert told["columnKind"] == "unicodeCodePoints"
    assert told["newlineSequences"] == ["\r\n", "\n", "\r"]
