"""The HTML report in a real browser: code, folds, filters, addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.report import factory as make
from tests.report.html import browser as browsers
from tests.report.html import pages
from tests.report.html.conftest import HOSTILE

if TYPE_CHECKING:
    from tests.report.html.browser import Browser

pytestmark = browsers.MARKS
BY_HAND, SAFE, UNSAFE = "#f2", "#f1", "#f0"
_TOLD = "e.dispatchEvent(new Event('input', {bubbles: true}))"


def choose(browser: Browser, name: str, value: str) -> None:
    script = f"const e = document.querySelector(arguments[0]); e.value = arguments[1]; {_TOLD}"
    browser.run(script, f"[name={name}]", value)


def test_old_and_new_code_stand_beside_each_other(browser: Browser) -> None:
    browser.until(lambda: browser.count(".diff.two .del"), 1)
    assert browser.text(".two .del") == pages.CODE.splitlines()[2]
    assert browser.text(".two .del b") == "cuda"
    assert browser.text(".two .ins b") == "neuron"
    assert browser.text(".two .del mark") == '"cuda"'
    script = "return arguments[0].map(s => document.querySelector(s).getBoundingClientRect())"
    old, new = browser.run(script, [".two .del", ".two .ins"])
    assert old["y"] == new["y"]
    assert old["right"] <= new["left"]


def test_findings_are_under_their_lines_in_the_left_column(browser: Browser) -> None:
    browser.until(lambda: browser.count(".diff .finding"), 3)
    above = "return document.querySelector(arguments[0]).closest('tr').previousSibling.textContent"
    assert browser.run(above, SAFE).startswith("3x = ")
    assert browser.run(above, BY_HAND) == "40y = 4040y = 40"
    middle = "return document.querySelector(arguments[0]).getBoundingClientRect().right"
    assert browser.run(middle, SAFE) <= 1300 / 2
    assert HOSTILE in browser.text(".diff:not(.two)")


def test_a_click_unfolds_why_how_safe_and_from_where(browser: Browser) -> None:
    browser.until(lambda: browser.count(".diff .finding"), 3)
    assert browser.count(f"{BY_HAND} h4") == 0
    browser.click(f"{BY_HAND} > summary")
    browser.until(lambda: browser.count(f"{BY_HAND} h4"), 3)
    assert "One reason." in browser.text(BY_HAND)
    assert browser.count(f"{BY_HAND} a[href='{pages.SOURCE}']") == 1
    browser.click(f"{BY_HAND} > summary")
    browser.until(lambda: browser.count(f"{BY_HAND} h4"), 0)


def test_what_the_message_says_is_not_said_again(browser: Browser) -> None:
    said = make.finding(line=1, end_line=1, message="What is `found`. Here it is x.")
    other = make.finding(line=2, end_line=2, message="Another.")
    browser.file.write_text(pages.page(make.result(said, other)), encoding="utf-8")
    browser.open()
    for number in range(2):
        browser.click(f"#f{number} > summary")
    browser.until(lambda: browser.count(".finding h4"), 6)
    assert [browser.count(f"#f{number} .said") for number in range(2)] == [0, 1]


def test_a_fix_that_is_a_choice_is_in_its_finding(browser: Browser) -> None:
    browser.until(lambda: browser.count(".diff .finding"), 3)
    browser.click(f"{UNSAFE} > summary")
    browser.until(lambda: browser.count(f"{UNSAFE} .ins"), 1)
    assert browser.text(f"{UNSAFE} .ins") == f"y = '{HOSTILE}'"


def test_unchanged_lines_fold_and_unfold(browser: Browser) -> None:
    browser.until(lambda: browser.count(".folded"), 2)
    assert browser.text(".folded summary") == "30 unchanged lines"
    browser.click(".folded summary")
    browser.until(lambda: browser.count(".folded tr.same"), 30)
    browser.click(".folded summary")
    browser.until(lambda: browser.count(".folded tr.same"), 0)


def test_the_code_of_a_closed_file_is_not_made(browser: Browser) -> None:
    browser.click("#close")
    browser.open()
    browser.run("document.querySelectorAll('.file').forEach(e => { e.open = false })")
    browser.run("return new Promise(done => setTimeout(done, 100))")
    made = browser.count(".diff")
    browser.click("#open")
    browser.until(lambda: browser.count(".diff"), 3)
    assert made == 0


def test_filters_add_up(browser: Browser) -> None:
    browser.until_shown("3 findings in 2 files")
    browser.click("[value=breaks]")
    browser.until_shown("1 of 3 findings in 1 file")
    browser.click("[value=breaks]")
    browser.until_shown("3 findings in 2 files")
    browser.click("[name=left]")
    browser.until_shown("2 of 3 findings in 2 files")
    choose(browser, "folder", "src/")
    browser.until_shown("1 of 3 findings in 1 file")
    browser.click("[type=reset]")
    browser.until_shown("3 findings in 2 files")
    choose(browser, "text", "ONERROR nm101")
    browser.until_shown("2 of 3 findings in 2 files")
    choose(browser, "family", "device")
    choose(browser, "text", "nothing has this")
    browser.until_shown("0 of 3 findings in 0 files")


def test_code_goes_with_the_findings_that_are_filtered_out(browser: Browser) -> None:
    browser.until(lambda: browser.count(".part"), 3)
    browser.click("[name=left]")
    browser.until(lambda: browser.count(".part"), 2)
    assert browser.count(".del") == 0
    browser.click("[name=left]")
    browser.until(lambda: browser.count(".del"), 1)


def test_a_filtered_view_has_an_address(browser: Browser) -> None:
    browser.click("[value=cpu]")
    choose(browser, "folder", "src/")
    choose(browser, "text", "a & b")
    browser.until_shown("0 of 3 findings in 0 files")
    address = browser.run("return location.hash")
    assert address == "#risk=breaks&folder=src%2F&text=a+%26+b"
    browser.click("[type=reset]")
    browser.until(lambda: browser.run("return location.hash"), "")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("#risk=cpu", "1 of 3 findings in 1 file"),
        ("#risk=breaks&left=1", "1 of 3 findings in 1 file"),
        ("#kind=safe+unsafe", "2 of 3 findings in 2 files"),
        ("#folder=src%2F&family=device", "1 of 3 findings in 1 file"),
        ("#risk=", "0 of 3 findings in 0 files"),
        ("#folder=gone%2F&nonsense=1", "3 findings in 2 files"),
        ("#text=%E0%A4%A", "0 of 3 findings in 0 files"),
        ("#%E0%A4%A", "3 findings in 2 files"),
    ],
)
def test_an_address_sets_the_filters(browser: Browser, address: str, shown: str) -> None:
    browser.open(address)
    browser.until_shown(shown)
    browser.run("location.hash = '#family='")
    browser.until_shown("3 findings in 2 files")


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("[data-filter=risk][data-value=cpu] a", "1 of 3 findings in 1 file"),
        ("[data-filter=family] a", "3 findings in 2 files"),
        ("[data-filter=folder] a", "1 of 3 findings in 1 file"),
    ],
)
def test_bars_and_folders_lead_to_their_findings(browser: Browser, label: str, shown: str) -> None:
    browser.click(label)
    browser.until_shown(shown)
    top = "return find('#findings').getBoundingClientRect().top"
    browser.until(lambda: browser.run(top) < 900, True)
    browser.run("history.back()")
    browser.until_shown("3 findings in 2 files")


def test_a_link_opens_what_the_filters_had_hidden(browser: Browser) -> None:
    browser.click("[value=cpu]")
    browser.until_shown("2 of 3 findings in 1 file")
    browser.run("location.hash = arguments[0]", UNSAFE)
    browser.until_shown("3 findings in 2 files")
    assert browser.run("return document.querySelector(arguments[0]).open", UNSAFE)
    assert browser.run("return document.activeElement.parentElement.id") == UNSAFE[1:]


def test_a_link_to_a_finding_works_from_the_start(browser: Browser) -> None:
    browser.open(BY_HAND)
    browser.until(lambda: browser.count(f"{BY_HAND} h4"), 3)
    top = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
    browser.until(lambda: 0 <= browser.run(top, BY_HAND) < 900, True)


def test_a_page_about_nothing(browser: Browser) -> None:
    browser.file.write_text(pages.page(make.result()), encoding="utf-8")
    browser.open("#risk=cpu")
    browser.press("n", "/")
    browser.run("location.hash = ''")
    assert browser.count("#findings, #theme") == 2
    assert browser.count("#filters") == 0


def test_folders_close_and_open(browser: Browser) -> None:
    assert browser.count(".tree tbody tr") == 3
    browser.click(".fold")
    assert browser.count(".tree tbody tr") == 2
    assert browser.run("return document.querySelector('.fold').ariaExpanded") == "false"
    browser.click(".fold")
    assert browser.count(".tree tbody tr") == 3


def test_colours(browser: Browser) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    seen = []
    for _ in range(3):
        browser.click("#theme")
        seen.append((browser.text("#theme"), browser.run(background)))
    assert seen[0] == ("Colours: light", "rgb(255, 255, 255)")
    assert seen[1] == ("Colours: dark", "rgb(20, 23, 27)")
    assert seen[2][0] == "Colours: as the system"
    browser.emulate(scheme="dark")
    assert browser.run(background) == "rgb(20, 23, 27)"
