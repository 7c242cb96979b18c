"""The rehearsal in the HTML report: its style holds in a browser, and nothing is refused."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from neuron_migrate.report.html.page import Report, render
from neuron_migrate.report.risk import summarise
from tests.rehearsal.factory import everything
from tests.report import factory as make
from tests.report.html import browser as browsers
from tests.report.html import pages

if TYPE_CHECKING:
    from pathlib import Path


def page() -> str:
    found = [make.manual()]
    return render(
        Report(
            findings=found,
            summary=summarise([make.result(*found)]),
            texts={},
            rules={each.code: pages.rule(each.code) for each in found},
            target="neuron",
            sdk="2.33",
            rehearsal=everything(),
        )
    )


def test_the_policy_has_the_hash_of_both_styles() -> None:
    tree = pages.parsed(page())
    style = tree.find(".//style").text
    assert ".rehearsal" in style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in tree.find(".//meta[@http-equiv]").get("content")
    ids = [each.get("id") for each in tree.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


def test_without_one_the_page_has_neither_section_nor_style() -> None:
    assert "rehearsal" not in pages.everything()


@browsers.MARKS[0]
@browsers.MARKS[1]
def test_in_a_browser(driver: Any, tmp_path: Path) -> None:
    (tmp_path / "report.html").write_text(page(), encoding="utf-8")
    driver.get("about:blank")
    shown = browsers.Browser(driver, tmp_path / "report.html")
    shown.emulate()
    shown.open()
    assert shown.count(".rehearsal table") > 5
    border = "return getComputedStyle(document.querySelector('.simulation')).borderLeftWidth"
    assert shown.run(border) == "4px"
    assert driver.get_log("browser") == []
