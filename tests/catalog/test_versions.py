"""Rules that differ from one release of the SDK to the next, and sources that contradict."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader, versions
from neuron_migrate.engine.analysis import Analyzer
from neuron_migrate.errors import UsageError
from tests.cases import analysed, catalog
from tests.catalog.test_loader import RULE

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.finding import Finding

FALLBACK = 'import os\n\nos.environ["TORCH_NEURONX_DISABLE_FALLBACK_EXECUTION"] = "0"\n'
AUTOLOAD = 'import os\n\nos.environ["TORCH_DEVICE_BACKEND_AUTOLOAD"] = "0"\n'
AVAILABLE = "import torch\n\nprint(torch.cuda.is_available())\n"
VERSIONED = """
[[versions]]
until = "2.32"
holds = false

[[versions]]
since = "2.32"
until = "2.33"
risk = "breaks"
summary = "Something of old."
sources = ["https://example.org/old"]
"""


def found(rules: Catalog, text: str) -> list[Finding]:
    return Analyzer(rules, target="neuron").analyse(text, "a.py")


@pytest.fixture
def house(tmp_path: Path) -> Path:
    file = tmp_path / "house.toml"
    file.write_text(RULE + VERSIONED)
    return file


def test_releases_are_in_order_and_the_newest_is_the_default() -> None:
    numbers = [versions.number(each.sdk) for each in catalog().releases]
    assert numbers == sorted(numbers)
    assert catalog().sdk == catalog().releases[-1].sdk
    for each in catalog().releases:
        assert date.fromisoformat(each.date)
        assert each.sources


def test_every_rule_was_checked_against_a_release_that_is_known() -> None:
    known = {each.sdk for each in catalog().releases}
    assert {rule.sdk for rule in catalog().rules} <= known


def test_an_older_release_says_something_else() -> None:
    (new,) = found(loader.load(), FALLBACK)
    (old,) = found(loader.load(sdk="2.32"), FALLBACK)
    assert new.code == old.code == "NM809"
    assert new.confidence == "documented"
    assert old.confidence == "unverified"
    assert new.message != old.message


def test_a_patch_release_is_its_release() -> None:
    assert loader.load(sdk="2.33.1").sdk == "2.33"
    assert loader.load(sdk="2.33.1").rules == loader.load().rules


@pytest.mark.parametrize("sdk", ["2.9", "3.0", "new", "2"])
def test_a_release_that_is_not_known(sdk: str) -> None:
    with pytest.raises(UsageError, match=r"2\.31, 2\.32, 2\.33"):
        loader.load(sdk=sdk)


def test_a_rule_of_ones_own_over_three_releases(house: Path) -> None:
    now, before, earlier = (loader.load([house], sdk) for sdk in ("2.33", "2.32", "2.31"))
    text = "import ours\n\nours.slow()\n"
    assert [(each.risk.value, each.code) for each in found(now, text)] == [("slow", "NM199")]
    assert [each.risk.value for each in found(before, text)] == ["breaks"]
    assert found(before, text)[0].message.startswith("Something of old.")
    assert before.rule("NM199").sources == ("https://example.org/old",)  # type: ignore[union-attr]
    assert found(earlier, text) == []


def test_two_releases_do_not_share_cached_results(house: Path) -> None:
    prints = {loader.load([house], sdk).fingerprint for sdk in ("2.33", "2.32", "2.31")}
    assert len(prints) == 3


@pytest.mark.parametrize(
    ("addition", "key"),
    [
        ("[[versions]]\nholds = false\n", "versions"),
        ('[[versions]]\nsince = "new"\n', "versions"),
        ('[[versions]]\nuntil = "2.33"\nsources = ["http://a.org"]\n', "sources"),
        ('[[disputed]]\nwho = "A"\nsays = "b"\nsource = "https://a.org"\n', "disputed"),
    ],
)
def test_a_malformed_version_or_claim(tmp_path: Path, addition: str, key: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text(RULE + addition)
    with pytest.raises(UsageError, match=f"house.toml: {key}: expected"):
        loader.load([file])


def test_a_disputed_finding_says_so_and_cites_both() -> None:
    (finding,) = analysed(AUTOLOAD, "neuron")
    rule = catalog().rule(finding.code)
    assert rule is not None
    assert len(rule.disputed) > 1
    assert "The sources disagree" in finding.message
    for claim in rule.disputed:
        assert f"{claim.who} says {claim.says} ({claim.source})" in finding.message


def test_a_dispute_may_concern_one_target() -> None:
    (neuron,) = analysed(AVAILABLE, "neuron")
    (portable,) = analysed(AVAILABLE, "accelerator")
    assert "disagree" not in neuron.message
    assert "disagree" in portable.message
