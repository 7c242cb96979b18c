"""The HTML report on narrow screens and on paper, without JavaScript, and to a checker."""

from __future__ import annotations

import base64
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from tests.report.html import browser as browsers
from tests.report.html import pages
from tests.report.html.conftest import HOSTILE

if TYPE_CHECKING:
    from tests.report.html.browser import Browser

pytestmark = browsers.MARKS
_BOXES = "return arguments[0].map(s => document.querySelector(s).getBoundingClientRect())"
_WIDE = "return document.documentElement.scrollWidth"


@pytest.mark.parametrize(("width", "media"), [(400, ""), (320, ""), (1300, "print")])
def test_one_column(browser: Browser, width: int, media: str) -> None:
    browser.emulate(width=width, media=media)
    browser.until(lambda: browser.count(".two .del"), 1)
    old, new, same = browser.run(_BOXES, [".two .del", ".two .ins", ".two .same .line"])
    assert old["bottom"] <= new["top"]
    assert old["left"] == new["left"]
    assert same["width"] > 0.6 * width
    assert browser.count(".two .same > :nth-child(n + 3)") == 0
    assert browser.run(_WIDE) <= width
    browser.run("document.querySelector('#file-1').scrollIntoView()")
    browser.until(lambda: browser.count(".diff:not(.two) .n"), 2)
    number, line = browser.run(_BOXES, [".diff:not(.two) td.n", ".diff:not(.two) .line"])
    assert number["width"] < 0.5 * line["width"]


def test_bars_leave_room_for_their_numbers_on_a_narrow_screen(browser: Browser) -> None:
    assert browser.count(".bar") > 0
    browser.emulate(width=400)
    assert browser.count(".bar") == 0


def test_paper_has_everything_that_is_folded(browser: Browser) -> None:
    browser.click("#close")
    browser.until(lambda: browser.count(".finding"), 0)
    counts = "['.diff', '.rule[open]', '.file[open]'].map(each => all(each).length)"
    browser.run(f"addEventListener('beforeprint', () => {{ window.printed = {counts} }})")
    assert base64.b64decode(browser.driver.print_page()).startswith(b"%PDF")
    assert browser.run("return window.printed") == [3, 1, 2]
    assert browser.run("return document.querySelectorAll('.file[open], .rule[open]').length") == 0


def test_paper_has_no_controls(browser: Browser) -> None:
    browser.emulate(media="print", scheme="dark")
    assert browser.count("#filters, nav, #theme, .skip") == 0
    assert browser.run("return getComputedStyle(document.body).color") == "rgb(27, 31, 36)"


def test_without_javascript_every_finding_can_be_read(browser: Browser) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open()
        found = browser.driver.find_elements("css selector", ".finding > summary")
        assert [HOSTILE in each.text for each in found] == [False, False, True]
        assert all(each.is_displayed() for each in found)
        assert not browser.driver.find_element("id", "filters").is_displayed()
        found[0].click()
        link = browser.driver.find_element("css selector", "#f0 .rule-link a")
        assert link.get_attribute("href").endswith("#rule-NM101")
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (1300, "dark"), (400, "light")])
@pytest.mark.parametrize("everything", [False, True])
def test_an_accessibility_engine_finds_nothing(
    browser: Browser, width: int, scheme: str, everything: bool
) -> None:
    package = pytest.importorskip("axe_playwright_python")
    engine = (files(package) / "axe.min.js").read_text(encoding="utf-8")
    if everything:
        browser.file.write_text(pages.everything(), encoding="utf-8")
    browser.open("#f0")
    browser.emulate(width=width, scheme=scheme)
    browser.until(lambda: browser.count(".diff .finding") > 0, True)
    browser.run("all('details').forEach(e => { e.open = true })")
    browser.until(lambda: browser.count(".finding h4") > 0, True)
    browser.driver.execute_script(engine)
    script = "const done = arguments[0]; axe.run().then(found => done(found.violations))"
    found = browser.driver.execute_async_script(script)
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in found] == []
