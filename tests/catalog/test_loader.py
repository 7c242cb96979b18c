from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.errors import UsageError
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from pathlib import Path

RULE = """
code = "NM199"
name = "house-rule"
summary = "Something of ours."
risk = "slow"
confidence = "unverified"
effort = "low"
why = "Because."
fix_safety = "There is no fix."
sources = []
sdk = "2.33"
triggers = ["ours"]

[match]
kind = "call"
functions = ["ours.slow"]
"""
MALFORMED = [
    ('code = "NM199"', 'code = "X1"', "code", "NM and three digits"),
    ('code = "NM199"', "code = 199", "code", "Expected `str`"),
    ('code = "NM199"', "", "code", "missing required field"),
    ('name = "house-rule"', 'name = "House_Rule"', "name", "kebab-case"),
    ('risk = "slow"', 'risk = "awful"', "risk", "awful"),
    ('effort = "low"', 'effort = "huge"', "effort", "huge"),
    ('confidence = "unverified"', 'confidence = "documented"', "confidence", "unverified"),
    ("sources = []", 'sources = ["http://example.org"]', "sources", "https://"),
    ("sources = []", 'sources = "https://example.org"', "sources", "Expected `array`"),
    ('triggers = ["ours"]', "triggers = []", "triggers", "at least one word"),
    ('sdk = "2.33"', 'sdk = "2.33"\nsdks = 1', "sdks", "unknown field"),
    ('kind = "call"', 'kind = "magic"', "match.kind", "magic"),
    ('kind = "call"', "", "match", "kind"),
    ("functions", "function", "match", "unknown field `function`"),
    ('functions = ["ours.slow"]', "functions = [1]", "match.functions", "Expected `str`"),
    ('functions = ["ours.slow"]', 'functions = ["a"]\nneuron = "a("', "match.neuron", "expression"),
    (
        'functions = ["ours.slow"]',
        'functions = ["a"]\narguments = [{name = "b", action = "add"}]',
        "match.arguments (b).to",
        "a value",
    ),
    (
        'functions = ["ours.slow"]',
        'functions = ["a"]\narguments = [{name = "b", action = "set", to = "1 +"}]',
        "match.arguments (b).to",
        "expression",
    ),
    (
        'kind = "call"\nfunctions = ["ours.slow"]',
        'kind = "value"\nvalues = ["cuda"]',
        "match.values",
        "literals",
    ),
    (
        'kind = "call"\nfunctions = ["ours.slow"]',
        'kind = "names"\nnames = [{name = "a.b", neuron = "c d"}]',
        "match.names (a.b).neuron",
        "expression",
    ),
    ('why = "Because."', 'why = "Because.', "", "not valid TOML"),
]


@pytest.fixture
def rule(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(RULE, encoding="utf-8")
    return file


def test_a_rule_of_ones_own(rule: Path) -> None:
    for extra in (rule, rule.parent):
        found = loader.load([extra]).rule("NM199")
        assert found is not None
        assert (found.name, found.risk, found.family) == ("house-rule", Risk.SLOW, "device")


def test_the_built_in_rules() -> None:
    catalog = loader.load()
    codes = [rule.code for rule in catalog.rules]
    assert codes == sorted(codes)
    assert catalog.rule("NM101") is not None
    assert catalog.rule("NM999") is None
    assert any("cuda" in gate.words for gate in catalog.gates)
    assert catalog.sdk >= "2.33"


def test_the_newest_sdk_is_told_by_number(rule: Path) -> None:
    rule.write_text(RULE.replace("2.33", "2.100"), encoding="utf-8")
    assert loader.load([rule]).sdk == "2.100"


@pytest.mark.parametrize(("old", "new", "key", "expected"), MALFORMED)
def test_a_malformed_rule(rule: Path, old: str, new: str, key: str, expected: str) -> None:
    assert old in RULE
    rule.write_text(RULE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        loader.load([rule])
    message = str(raised.value)
    assert message.startswith(f"{rule}: ")
    assert key in message
    assert expected in message


def test_a_code_that_is_taken(rule: Path) -> None:
    other = rule.with_name("other.toml")
    other.write_text(RULE, encoding="utf-8")
    with pytest.raises(UsageError, match=r"other\.toml: code NM199 is taken by .*house\.toml"):
        loader.load([rule.parent])


def test_a_rule_that_names_one_that_is_not_there(rule: Path) -> None:
    pattern = 'kind = "value"\nof = "NM198"\nwhen = "elsewhere"\n'
    rule.write_text(RULE.partition("kind")[0] + pattern, encoding="utf-8")
    with pytest.raises(UsageError, match=r"house\.toml: match\.of: expected a rule's code"):
        loader.load([rule])


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such rule file or folder"):
        loader.load([tmp_path / "none"])


def test_not_utf_8(rule: Path) -> None:
    rule.write_bytes(b"\xff")
    with pytest.raises(UsageError, match="cannot read the rule"):
        loader.load([rule])


def test_loading_does_not_import_libcst() -> None:
    program = (
        "import sys; from neuron_migrate.catalog import loader; loader.load();"
        "sys.exit('libcst' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
