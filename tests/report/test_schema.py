"""The published schema of the JSON output, against what is really written."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_migrate.finding import Shapes
from neuron_migrate.report import json as json_format
from neuron_migrate.report import listing
from neuron_migrate.report.risk import Skip, summarise
from neuron_migrate.report.since import Known, Share, Since
from tests.report import factory as make
from tests.report import schemas
from tests.report.test_formats import ODD

RESULTS = [
    make.result(make.finding(), make.unsafe(), make.manual(cell=2), make.note(), make.advice()),
    make.result(make.finding(shapes=Shapes(at_most=4, in_buckets=1)), path="b.py"),
    make.result(make.advice(shapes=Shapes()), path="c.py"),
    make.result(make.failure(path=ODD), path=ODD, failed=True),
]


NARROWED = Since(Known("known.json", 3, 1), "main", 2, Share(2, 4, 9))
OPTIONAL = ["baseline", "diff_base", "shard", "statistics"]


def document(results: Any = RESULTS, since: Since = NARROWED, counted: bool = True) -> Any:
    summary = summarise(results, [Skip("link.py", "leads nowhere")], since)
    findings = listing.listed(results, show_advice=True)
    return json.loads(
        json_format.render(findings, summary, target="neuron", sdk="2.33", counted=counted)
    )


def test_what_is_written_is_valid() -> None:
    assert schemas.problems(document(), schemas.findings()) == []
    assert schemas.problems(document([]), schemas.findings()) == []


def test_what_was_not_asked_for_is_not_there() -> None:
    plain = document(since=Since(), counted=False)
    assert list(plain) == schemas.findings()["required"]
    assert schemas.problems(plain, schemas.findings()) == []


def test_every_key_is_described_and_every_described_key_is_written() -> None:
    written = document()
    schema = schemas.findings()
    definitions = schema["$defs"]
    shapes = next(each["shapes"] for each in written["findings"] if each["shapes"])
    assert list(written) == list(schema["properties"]) == [*schema["required"], *OPTIONAL]
    pairs = [
        (written["baseline"], definitions["baseline"]),
        (written["diff_base"], definitions["diff_base"]),
        (written["shard"], definitions["shard"]),
        (written["statistics"][0], definitions["statistic"]),
        (written["tool"], schema["properties"]["tool"]),
        (written["findings"][0], definitions["finding"]),
        (written["summary"], definitions["summary"]),
        (written["summary"]["compile_exposure"], definitions["compile_exposure"]),
        (written["summary"]["skipped"][0], definitions["skip"]),
        (shapes, definitions["shapes"]),
    ]
    for value, described in pairs:
        assert list(value) == list(described["properties"]) == described["required"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("code", "E501"),
        ("line", 0),
        ("risk", "bad"),
        ("fix", "maybe"),
        ("cell", 0),
        ("message", None),
    ],
)
def test_the_schema_refuses_what_is_not_the_format(key: str, value: object) -> None:
    written = document()
    written["findings"][0][key] = value
    assert schemas.problems(written, schemas.findings())


@pytest.mark.parametrize("key", OPTIONAL)
def test_the_schema_refuses_optional_keys_of_another_form(key: str) -> None:
    written = document()
    written[key] = [*written[key][:1], {}] if key == "statistics" else {}
    assert schemas.problems(written, schemas.findings())


def test_a_key_may_be_added() -> None:
    written = document()
    written["findings"][0]["new"] = written["summary"]["new"] = written["new"] = 1
    assert schemas.problems(written, schemas.findings()) == []
