"""The HTML report by keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.report.html import browser as browsers

if TYPE_CHECKING:
    from tests.report.html.browser import Browser

pytestmark = browsers.MARKS
TAB, ENTER, SPACE, ESCAPE = "\ue004", "\ue007", " ", "\ue00c"


def finding(browser: Browser) -> str:
    script = "return document.activeElement.closest('.finding')?.id ?? ''"
    return str(browser.run(script))


def test_a_walk_from_the_top_to_the_end(browser: Browser) -> None:
    browser.until(lambda: browser.count(".diff .finding"), 3)
    walked = []
    for _ in range(100):
        browser.press(TAB)
        if browser.run("return document.activeElement === document.body"):
            break
        walked.append(browser.focused())
        style = "const s = getComputedStyle(document.activeElement); return s.outlineStyle"
        assert browser.run(style) != "none", walked[-1]
    assert walked[:2] == ["Skip to the findings", "theme"]
    places = [walked.index(name) for name in ("risk", "family", "folder", "left", "text", "keys")]
    assert places == sorted(places)
    summaries = [each for each in walked if "NM101" in each and ":" in each]
    assert [each.split(" ", 1)[0].split("\n")[0] for each in summaries][:3] == [
        "1:10",
        "3:18",
        "40:1",
    ]


def test_the_skip_link_is_seen_and_skips(browser: Browser) -> None:
    browser.press(TAB)
    box = "return document.activeElement.getBoundingClientRect().left"
    assert browser.run(box) >= 0
    browser.press(ENTER)
    browser.until(browser.focused, "findings")
    browser.press(TAB)
    assert browser.focused() == "risk"


def test_enter_unfolds_and_the_focus_stays(browser: Browser) -> None:
    browser.until(lambda: browser.count(".diff .finding"), 3)
    browser.press("n")
    assert finding(browser) == "f0"
    browser.press(ENTER)
    browser.until(lambda: browser.count("#f0 h4"), 0)
    browser.press(SPACE)
    browser.until(lambda: browser.count("#f0 h4"), 3)
    assert finding(browser) == "f0"


def test_keys_walk_through_what_is_shown(browser: Browser) -> None:
    browser.press("p")
    assert finding(browser) == ""
    seen = []
    for key in "nnnnpp":
        browser.press(key)
        seen.append(finding(browser))
    assert seen == ["f0", "f1", "f2", "f2", "f1", "f0"]
    browser.click("[name=left]")
    browser.until_shown("2 of 3 findings in 2 files")
    browser.press("n")
    assert finding(browser) == "f0"
    browser.press("n")
    assert finding(browser) == "f2"


def test_keys_go_on_from_where_an_address_leads(browser: Browser) -> None:
    browser.open("#f1")
    browser.until(lambda: finding(browser), "f1")
    browser.press("n")
    assert finding(browser) == "f2"


def test_a_slash_goes_to_the_search_and_is_a_slash_there(browser: Browser) -> None:
    browser.press("/")
    assert browser.focused() == "text"
    browser.press("/", "n", "p")
    assert browser.run("return document.activeElement.value") == "/np"
    browser.press(TAB)
    assert browser.focused() != "text"


def test_the_keys_can_be_turned_off(browser: Browser) -> None:
    browser.click("#keys")
    browser.press("/", "n")
    assert browser.focused() == "keys"
    browser.open()
    assert not browser.run("return find('#keys').checked")
    browser.click("#keys")
    browser.press("/")
    assert browser.focused() == "text"


def test_the_focus_stays_on_a_finding_that_moves_to_its_line(browser: Browser) -> None:
    place = "document.querySelector('#f1 > summary')"
    focus = f"addEventListener('DOMContentLoaded', () => {place}?.focus())"
    command = browser.driver.execute_cdp_cmd
    added = command("Page.addScriptToEvaluateOnNewDocument", {"source": focus})
    try:
        browser.open()
        browser.until(lambda: browser.count(".diff .finding"), 3)
        assert finding(browser) == "f1"
    finally:
        command("Page.removeScriptToEvaluateOnNewDocument", added)
