"""The HTML report: its structure, what it links to, and what hostile names and code can do."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files
from itertools import pairwise
from typing import Any

import pytest

from neuron_migrate.report.html.page import render
from tests.report import factory as make
from tests.report.html import pages

HOSTILE = "\"><script>alert(1)</script>'&<!--\u202e{{ 7*7 }}"
TEMPLATES = files("neuron_migrate.report.html") / "templates"


def test_every_part_is_there() -> None:
    text = pages.everything()
    for words in (
        "Verdict: blocked",
        "1 blocker: what has no Neuron path",
        "gone.py</bdi>: leads nowhere",
        "1 path left out on purpose",
        "fix --apply fixes 1 finding.",
        "Added up 500 shapes, about 8.3 hours",
        "Not bounded by what is written there: 1 place.",
        "it is built at run time",
        "What is <code>found</code>.",
        "neuron-migrate explain NM101",
    ):
        assert words in text


def test_landmarks_and_headings() -> None:
    tree = pages.parsed(pages.everything())
    assert tree.get("lang") == "en"
    for tag in ("header", "nav", "main", "footer", "search"):
        assert len(tree.findall(f".//{tag}")) == 1, tag
    levels = [int(each.tag[1]) for each in tree.iter() if re.fullmatch(r"h[1-6]", str(each.tag))]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_names_and_references() -> None:
    tree = pages.parsed(pages.everything())
    ids = [each.get("id") for each in tree.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    wanted = {each.get("href")[1:] for each in tree.iter("a") if each.get("href")[0] == "#"}
    wanted |= {each.get("aria-labelledby") for each in tree.iter()} - {None}
    assert wanted <= set(ids)
    labels = [control for label in tree.iter("label") for control in label]
    controls = [each for each in tree.iter() if each.tag in ("input", "select")]
    assert controls
    assert all(control in labels for control in controls)
    assert all("".join(button.itertext()).strip() for button in tree.iter("button"))
    assert tree.find(".//output").get("aria-live") == "polite"


def test_nothing_is_loaded() -> None:
    tree = pages.parsed(pages.everything())
    for each in tree.iter():
        assert each.get("src") is None
        assert each.get("style") is None
        assert not any(name.startswith("on") for name in each.keys())  # noqa: SIM118
        if each.get("href"):
            assert each.get("href") == pages.SOURCE or each.get("href").startswith("#")
    assert not tree.findall(".//link")
    for asset in ("report.css", "report.js"):
        text = (TEMPLATES / asset).read_text(encoding="utf-8")
        assert text.isascii()
        assert not re.search(r"https?:|url\(|@import|</script|</style|innerHTML|eval\(", text)


def test_the_policy_lets_this_script_run_and_no_other() -> None:
    tree = pages.parsed(pages.everything())
    policy = tree.find(".//meta[@http-equiv]").get("content")
    assert policy.startswith("default-src 'none'; ")
    for content in (tree.find(".//style").text, tree.findall(".//script")[-1].text):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert "unsafe" not in policy


def test_hostile_names_and_code_stay_text() -> None:
    path = f"src/{HOSTILE}/a.py"
    finding = make.manual(path=path, line=1, message=HOSTILE, not_fixed=f"`{HOSTILE}`")
    blocker = make.blocker(path=path, line=1, name=HOSTILE)
    text = pages.page(
        make.result(finding, blocker, path=path), texts={path: f"{HOSTILE}</script><b>\n"}
    )
    tree = pages.parsed(text)
    assert len(tree.findall(".//script")) == 2
    assert not [each for each in tree.iter("b") if each.get("class") is None and each.text == ""]
    assert "\u202e" not in text
    assert "49" not in text.replace("{{ 7*7 }}", "").partition("<main>")[0].partition("<body>")[2]
    assert tree.find(".//details[@data-path]").get("data-path") == path.replace("\u202e", "\\u202e")
    assert data(tree)[0]["lines"] == [f"{HOSTILE}</script><b>".replace("\u202e", "\\u202e")]


def test_hostile_rules_stay_text() -> None:
    report = pages.Report(
        findings=[make.finding()],
        summary=pages.summarise([make.result(make.finding())]),
        code=[{}],
        rules={"NM101": pages.rule("NM101", why=HOSTILE, summary=HOSTILE, fix_safety=HOSTILE)},
        target="neuron",
        sdk=HOSTILE,
    )
    assert len(pages.parsed(render(report)).findall(".//script")) == 2


def test_the_data_cannot_end_its_element() -> None:
    text = pages.page(make.result(pages.fixed(line=1)), texts={"train.py": "</script><!--&\u2028"})
    block = re.findall(r'id="code">(.*?)</script>', text)[0]
    assert not re.search("[<>&\u2028]", block)
    assert block.isascii()


def test_an_odd_name_can_be_written() -> None:
    text = pages.page(make.result(make.finding(path="\udcff.py"), path="\udcff.py"))
    assert b"\\udcff.py" in text.encode("utf-8", "backslashreplace")


@pytest.mark.parametrize("number", [0, 1])
def test_a_page_about_little_is_small(number: int) -> None:
    results = [make.result(*[pages.fixed()] * number)]
    text = pages.page(*results, texts={"train.py": pages.CODE})
    pages.parsed(text)
    assert len(text) < 45_000


def test_a_finding_costs_little() -> None:
    findings = [pages.fixed(line=number) for number in range(1, 1001)]
    text = pages.page(make.result(*findings), texts={"train.py": pages.CODE})
    assert len(text) < 2_000 * len(findings)
    assert 'id="file-0" data-path="train.py">' in text, "many findings are folded away"


def data(tree: Any) -> Any:
    return json.loads(tree.find(".//script[@id='code']").text)
