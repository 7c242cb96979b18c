"""Every rule of the catalog against its own examples; the whole catalog runs on each of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.catalog.loader import Catalog
from neuron_migrate.catalog.patterns import ToolMatch
from neuron_migrate.catalog.schema import is_for_text_only
from neuron_migrate.engine.analysis import Analyzer
from neuron_migrate.engine.triggers import Triggers
from tests.cases import TARGETS, catalog, run
from tests.oracles import faults

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.catalog.schema import Example, Rule, Untouched
    from neuron_migrate.finding import Target

FILES = sorted(loader.folder().glob("*/*.toml"))
RULES = [rule for rule in catalog().rules if not isinstance(rule.match, ToolMatch)]
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.code}-{number}")
    for rule in RULES
    for number, example in enumerate(rule.examples, 1)
]
UNTOUCHED = [
    pytest.param(rule, look_alike, id=f"{rule.code}-{number}")
    for rule in RULES
    for number, look_alike in enumerate(rule.untouched, 1)
]

every_target = pytest.mark.parametrize("target", TARGETS)
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
every_example = pytest.mark.parametrize(("rule", "example"), EXAMPLES)
every_look_alike = pytest.mark.parametrize(("rule", "look_alike"), UNTOUCHED)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_named_after_its_rule(file: Path) -> None:
    rule = loader.read(file)
    assert file.name == f"{rule.code}-{rule.name}.toml"
    assert file.parent.name == rule.family
    assert file.parent.parent == loader.folder()


def test_no_two_rules_share_a_name() -> None:
    names = [rule.name for rule in catalog().rules]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("rule", catalog().rules, ids=lambda rule: rule.code)
def test_texts_are_written(rule: Rule) -> None:
    assert rule.sources
    assert "\n" not in rule.summary
    assert rule.summary.endswith((".", ":"))
    for text in (rule.why, rule.fix_safety):
        assert len(text.split()) >= 4, f"{text!r} explains nothing"
    for text in (rule.summary, rule.why, rule.fix_safety, *rule.sources):
        assert "/work" not in text
        assert "FACTS" not in text


@every_rule
def test_a_rule_shows_where_it_fires_and_where_not(rule: Rule) -> None:
    assert rule.examples, "no example"
    assert rule.untouched, "no untouched example"


@every_example
def test_an_example_fires(rule: Rule, example: Example) -> None:
    texts = {"neuron": example.neuron, "accelerator": example.accelerator}
    rewritten = [target for target in TARGETS if texts[target] is not None]
    for target in rewritten or ["neuron"]:
        found = {
            finding.code
            for finding in run(example.before.encode(), target, path=example.path).first
        }
        assert rule.code in found, f"{rule.code} does not fire for {target}, only {sorted(found)}"


@every_target
@every_example
def test_an_example_becomes_what_it_says(rule: Rule, example: Example, target: Target) -> None:
    expected = example.neuron if target == "neuron" else example.accelerator
    after = run(example.before.encode(), target, unsafe=example.unsafe, path=example.path).after
    assert after.decode() == (example.before if expected is None else expected)


@every_target
@every_example
def test_oracles_on_an_example(rule: Rule, example: Example, target: Target) -> None:
    assert not faults(
        run(example.before.encode(), target, unsafe=example.unsafe, path=example.path)
    )


@every_target
@every_look_alike
def test_a_look_alike_is_left_alone(rule: Rule, look_alike: Untouched, target: Target) -> None:
    found = run(look_alike.code.encode(), target, path=look_alike.path).first
    assert rule.code not in {finding.code for finding in found}


@every_target
@every_look_alike
def test_oracles_on_a_look_alike(rule: Rule, look_alike: Untouched, target: Target) -> None:
    assert not faults(run(look_alike.code.encode(), target, path=look_alike.path))


@every_target
@every_rule
def test_a_rule_needs_no_words_of_other_rules(rule: Rule, target: Target) -> None:
    named = [catalog().rule(code) for code in re.findall(r"NM\d{3}", repr(rule.match))]
    alone = Catalog([rule, *filter(None, named)])
    if is_for_text_only(rule):
        text_words = Triggers(alone.text_gates)
        assert all(text_words.occur(each.before.encode()) for each in rule.examples)
        return
    words = Triggers(alone.gates)
    by_words = Analyzer(alone, target=target)
    everything = Analyzer(alone, target=target, everything=True)
    examples = [each for each in rule.examples if each.path == "example.py"]
    untouched = [each for each in rule.untouched if each.path == "example.py"]
    for text in (*(each.before for each in examples), *(each.code for each in untouched)):
        assert by_words.analyse(text, "a.py") == everything.analyse(text, "a.py")
    for example in examples:
        assert words.occur(example.before.encode()), "it holds no trigger word"
