"""``rules`` and ``explain``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Runner


def test_rules(cli: Runner) -> None:
    run = cli("rules")
    assert run.status == 0
    lines = run.text.splitlines()
    assert len(lines) == 6
    assert lines[0] == "NM101 breaks     rule-101: What NM101 finds."


def test_rules_as_json(cli: Runner) -> None:
    document = json.loads(cli("rules", "--output-format", "json").out)
    assert (document["schema"], document["sdk"], len(document["rules"])) == (1, "2.33", 6)
    assert document["rules"][0]["name"] == "rule-101"


@pytest.mark.parametrize("word", ["NM101", "nm101", "rule-101", "RULE-101"])
def test_explain(cli: Runner, word: str) -> None:
    run = cli("explain", word)
    assert run.status == 0
    assert (
        run.text
        == """\
NM101 rule-101 (device)
What NM101 finds.
risk breaks, documented, effort by hand low, checked against Neuron SDK 2.33

Why
  One reason.

  Another reason.

Fix safety
  Always safe.

Example
  before
      x.to("cuda")
  after (--target neuron)
      x.to("neuron")
  after (--target accelerator)
      x.to(acc)

Example: Only reported.
  before
      y
  reported, not rewritten

Left alone: Prose.
      print("cuda")

Sources
  https://example.org/facts
"""
    )


@pytest.mark.parametrize(
    ("word", "hint"),
    [("NM102", "did you mean"), ("rule-1o1", "rule-101"), ("zzz", "rules lists them")],
)
def test_an_unknown_rule_is_one_line_with_a_hint(cli: Runner, word: str, hint: str) -> None:
    run = cli("explain", word)
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert word in run.err
    assert hint in run.err
