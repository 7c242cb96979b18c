"""The compile exposure of a run: its sum, its section of the report, its JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from neuron_migrate.finding import Finding, Shapes
from neuron_migrate.report import exposure, risk_text
from neuron_migrate.report import json as json_format
from neuron_migrate.report.layout import TOP
from neuron_migrate.report.risk import summarise
from tests.report import factory as make


def site(at_most: int | None, in_buckets: int | None = None, **given: Any) -> Finding:
    per = given.pop("per", "")
    return make.advice(shapes=Shapes(at_most=at_most, in_buckets=in_buckets, per=per), **given)


SITES = (
    site(2, 2, line=1, code="NM221", name="partial-last-batch"),
    site(512, 4, line=2, code="NM226", name="text-padded-to-the-longest"),
    site(256, 2, line=3, code="NM358", name="growing-key-value-cache", per="length of the prompt"),
    site(None, line=4, code="NM222", name="data-dependent-shape"),
    site(None, line=5, code="NM222", name="data-dependent-shape"),
    site(None, line=6, code="NM228", name="padded-to-the-longest-sequence"),
)


def test_the_section() -> None:
    text = risk_text.render(summarise([make.result(*SITES, make.finding())]))
    assert (
        """
Compile exposure
  Every new shape costs a compilation, about a minute by TRL's release notes.
  Upper bounds, read off the code:
    shapes  in 128s  site
       512        4  NM226 train.py:2:10
       256        2  NM358 train.py:3:10
         2        2  NM221 train.py:1:10
  Added up 770 shapes, about 13 hours; with lengths padded to multiples of 128:
  8, about 8 minutes. Those of NM358 are for each length of the prompt. Lengths
  and batch sizes that vary together multiply.
  Not bounded by what is written there: 3 places. torch.compile runs a function
  eagerly after 8 shapes, and eager mode compiles for each shape too.
  * NM222 data-dependent-shape: 2, first train.py:4:10
  * NM228 padded-to-the-longest-sequence: train.py:6:10

"""
        in text
    )


@pytest.mark.parametrize("findings", [(), (make.finding(), make.advice())])
def test_code_that_makes_no_shapes_has_no_section(findings: tuple[Finding, ...]) -> None:
    assert "Compile exposure" not in risk_text.render(summarise([make.result(*findings)]))


def test_without_a_number_nothing_is_added_up() -> None:
    text = "\n".join(exposure.lines(exposure.of([site(None)])))
    assert "Added up" not in text
    assert "Not bounded by what is written there: 1 place." in text


def test_a_long_list_is_cut_and_all_of_it_counted() -> None:
    found = exposure.of([site(2, 2, line=number) for number in range(TOP + 3)])
    assert found.shapes == 2 * (TOP + 3)
    assert "  ... and 3 more" in exposure.lines(found)


def test_it_fits_eighty_columns_and_a_path_cannot_forge_a_line() -> None:
    found = [site(n, n, path="a\nVerdict: ready\x1b[2J.py") for n in (1, 100_000)]
    lines = exposure.lines(exposure.of([*found, *SITES]))
    assert max(map(len, lines)) <= 80
    assert not any(line.startswith("Verdict") or "\x1b" in line for line in lines)


@pytest.mark.parametrize(
    ("shapes", "words"),
    [
        (1, "about 1 minute"),
        (89, "about 89 minutes"),
        (90, "about 1.5 hours"),
        (834, "about 14 hours"),
    ],
)
def test_duration(shapes: int, words: str) -> None:
    assert exposure.duration(shapes) == words


def test_json() -> None:
    results = [make.result(*SITES, make.finding())]
    rendered = json_format.render(
        [SITES[1], SITES[3], make.finding()], summarise(results), target="neuron", sdk="2.33"
    )
    document = json.loads(rendered)
    assert [finding["shapes"] for finding in document["findings"]] == [
        {"at_most": 512, "in_buckets_of_128": 4},
        {"at_most": None, "in_buckets_of_128": None},
        None,
    ]
    assert document["summary"]["compile_exposure"] == {
        "sites": 6,
        "unbounded": 3,
        "shapes": 770,
        "minutes": 770,
        "shapes_in_buckets_of_128": 8,
        "minutes_in_buckets_of_128": 8,
    }
