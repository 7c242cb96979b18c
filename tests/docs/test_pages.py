"""The generated pages: complete, leading somewhere, and whatever a rule says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import typer

from neuron_migrate.catalog.loader import FAMILIES, Catalog
from neuron_migrate.catalog.schema import Example, Untouched
from neuron_migrate.catalog.versions import Claim, Version
from neuron_migrate.cli.app import app
from neuron_migrate.config import Table
from neuron_migrate.finding import Confidence, Risk
from site_pages import differences, pages, rule_page, words
from site_pages.fixes import Fixes
from tests.cases import catalog
from tests.docs.reading import codes, kinds, links, tokens
from tests.docs.reading import words as shown
from tests.docs.test_markdown import HOSTILE
from tests.readme import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.catalog.schema import Rule

SCHEMA = ROOT / "docs/schema"


def rule(code: str) -> Rule:
    found = catalog().rule(code)
    assert found is not None
    return found


def page_of(*rules: Rule) -> str:
    """The page of the first of some rules."""
    return rule_page.render(rules[0], Fixes(Catalog(rules)))


def headings(page: str) -> list[str]:
    return re.findall(r"^## (.*)$", page, re.MULTILINE)


def test_every_rule_has_a_page_and_every_list_leads_to_it_once() -> None:
    made = pages.of_catalog(catalog())
    every = {each.code for each in catalog().rules}
    assert {path for path in made if "NM" in path} == {f"rules/{code}.md" for code in every}
    by_family = [code for name in FAMILIES.values() for code in first(made[f"rules/{name}.md"])]
    assert sorted(by_family) == sorted(every)
    assert sorted(first(made["rules/by-risk.md"])) == sorted(every)
    assert {code for page in made.values() for code in codes(page)} == every
    assert not [path for path, page in made.items() if kinds(page) & {"html_inline", "html_block"}]


def first(page: str) -> list[str]:
    """The rules that a table has a row for, not those that its texts mention."""
    return re.findall(r"^\| \[(NM\d{3})\]\(\1\.md\)", page, re.MULTILINE)


def test_a_page_has_its_headings() -> None:
    assert headings(page_of(rule("NM104"))) == [
        "Why it matters",
        "Fix safety",
        "Examples",
        "What is left alone",
        "How to silence it",
        "Sources",
    ]


def test_a_page_shows_a_diff_for_each_target() -> None:
    page = page_of(rule("NM104"))
    diffs = [each.content for each in tokens(page) if each.info == "{code-block} diff"]
    assert len(diffs) == 2
    assert '\n-if not x.is_cuda:\n+if not (x.device.type == "neuron"):\n' in diffs[0]
    assert "current_accelerator" in diffs[1]


def test_targets_that_agree_share_a_diff() -> None:
    page = page_of(rule("NM320"))
    assert page.count("{code-block} diff") == 1
    assert "With either target:" in page


def test_what_other_rules_fix_is_not_its_fix() -> None:
    page = page_of(rule("NM848"), rule("NM801"))
    assert "\n:Fix: none\n" in page
    assert "What other rules make of it" in page


def test_an_example_that_is_not_rewritten_says_why() -> None:
    assert "Reported, not rewritten: whether samples may be left out" in page_of(rule("NM221"))


def test_code_that_is_not_python_names_its_file() -> None:
    page = page_of(rule("NM860"))
    assert "in `accelerate.yaml`:" in page
    assert "{code-block} yaml" in page


@pytest.mark.parametrize("code", ["NM105", "NM612"])
def test_disputes_and_releases_have_their_sources(code: str) -> None:
    given = rule(code)
    urls = [
        *given.sources,
        *(each.source for each in given.disputed),
        *(url for each in given.versions for url in each.sources),
    ]
    assert set(urls) <= set(links(page_of(given)))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_rule_adds_no_markup(text: str) -> None:
    text = " ".join(text.split())
    page = page_of(saying(text))
    assert structure(page) == structure(page_of(saying("innocent")))
    assert shown(page).casefold().count(text.casefold()) == 9


def saying(text: str) -> Rule:
    """A rule that says the same wherever a rule says something."""
    return msgspec.structs.replace(
        rule("NM104"),
        summary=text,
        why=text,
        fix_safety=f"{text} at length",
        not_fixed=f"{text} then",
        disputed=(Claim(who="AWS", says=text, source="https://a.example/"),) * 2,
        versions=(Version(until="2.33", why=text),),
        examples=(Example(before=text, note=text, path="a.txt"),),
        untouched=(Untouched(code=text, note=text, path="a.txt"),),
    )


def structure(page: str) -> list[str]:
    """The tokens without those that only tell words of a text apart."""
    text = {"text", "text_special", "code_inline"}
    return [each.type for each in tokens(page) if each.type not in text]


def test_what_changes_per_target_has_what_each_writes() -> None:
    rules = [rule("NM104"), rule("NM320"), rule("NM107")]
    page = differences.by_target(rules, Fixes(Catalog(rules)))
    assert codes_in_list(page) == ["NM104", "NM107"]
    assert '`if not (x.device.type == "neuron"):`' in page
    assert "  - not rewritten" in page


def codes_in_list(page: str) -> list[str]:
    return re.findall(r"^\* - \[(NM\d{3})\]", page, re.MULTILINE)


def test_releases_are_listed_with_the_rules_that_differ() -> None:
    page = differences.by_release(catalog())
    assert set(codes(page)) == {each.code for each in catalog().rules if each.versions}
    assert all(f"\n| {each.sdk} |".replace(".", "\\.") in page for each in catalog().releases)


def test_every_command_and_option_is_there() -> None:
    page = pages.of_program(SCHEMA)["reference/commands.md"]
    top: Any = typer.main.get_command(app)
    for name, command in top.commands.items():
        part = page.split(f"## neuron-migrate {name}\n")[1].split("\n## ")[0]
        options = [word for each in command.params for word in each.opts if word.startswith("-")]
        assert [option for option in options if option not in part] == []


def test_every_key_has_a_meaning() -> None:
    page = pages.of_program(SCHEMA)["reference/configuration.md"]
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| (.*?) \|", page, re.MULTILINE))
    assert list(rows) == [field.encode_name for field in msgspec.structs.fields(Table)]
    assert all(rows.values())


def test_every_key_of_every_schema_is_there() -> None:
    page = pages.of_program(SCHEMA)["reference/schemas.md"]
    for file in SCHEMA.glob("*.json"):
        document = msgspec.json.decode(file.read_bytes())
        for part in (document, *document.get("$defs", {}).values()):
            assert [key for key in part.get("properties", {}) if f"\n| `{key}` |" not in page] == []


def test_words_are_explained() -> None:
    assert set(words.RISKS) == set(Risk)
    assert set(words.CONFIDENCE) == set(Confidence.__args__)
    assert set(words.FAMILIES) == set(FAMILIES.values())


def test_writing_removes_what_is_stale_and_keeps_what_is_the_same(tmp_path: Path) -> None:
    pages.write(tmp_path, {"rules/a.md": "a", "rules/b.md": "b", "reference/c.md": "c"})
    before = (tmp_path / "rules/a.md").stat().st_mtime_ns
    pages.write(tmp_path, {"rules/a.md": "a", "reference/c.md": "new"})
    files = {path.name: path.read_text() for path in tmp_path.rglob("*.md")}
    assert files == {"a.md": "a", "c.md": "new"}
    assert (tmp_path / "rules/a.md").stat().st_mtime_ns == before
