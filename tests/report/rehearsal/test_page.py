"""The page is HTML, keeps to itself, and holds what the text holds."""

from __future__ import annotations

import re

import html5lib
import msgspec

from neuron_migrate.report.rehearsal import page, words
from tests.rehearsal.factory import everything, rehearsal


def parse(document: str) -> object:
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(document)


def test_it_is_valid() -> None:
    parse(page.render(everything(), sdk="2.33"))
    parse(page.render(rehearsal(status=-9), sdk="2.33"))


def test_it_loads_nothing() -> None:
    shown = page.render(everything(), sdk="2.33")
    assert not re.search(r"<(script|link|img|iframe)\b|\bsrc=|url\(|@import", shown)


def test_what_comes_from_the_program_is_escaped() -> None:
    found = everything()
    outcome = msgspec.structs.replace(found.outcome, message="<script>alert(1)</script>\x1b")
    shown = page.render(msgspec.structs.replace(found, outcome=outcome), sdk="2.33")
    assert "<script>" not in shown
    assert "\x1b" not in shown


def test_every_part_of_it() -> None:
    shown = page.render(everything(), sdk="2.33")
    for part in (words.SIMULATION, "12x{17,23,31}", "40.0 GiB", "NM903", "something to know"):
        assert part in shown, part


def test_the_section_is_the_page_without_its_frame() -> None:
    found = everything()
    section = page.section(found, sdk="2.33")
    assert section.startswith('<section class="rehearsal"')
    assert section in page.render(found, sdk="2.33")
