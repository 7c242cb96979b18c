"""The HTML report in a real browser, where the machine has one (Debian: chromium-driver)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from tests.report import factory as make
from tests.report.html import pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

webdriver = pytest.importorskip("selenium.webdriver")
_CHROMIUM, _DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(not (_CHROMIUM and _DRIVER), reason="no Chromium with its driver here"),
]
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_TOLD = "e.dispatchEvent(new Event('input', {bubbles: true}))"
HOSTILE = "</script><img src=x onerror=document.title='bad'>"


def _typed(value: str) -> str:
    return f"e.value = {value!r}; {_TOLD}"


class Browser:
    """A browser that shows one page."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def text(self, selector: str) -> str:
        return str(self.run(f"return document.querySelector({selector!r}).textContent"))

    def choose(self, selector: str, change: str) -> str:
        """Change a filter; what the page then says is shown."""
        self.run(f"const e = document.querySelector({selector!r}); {change}")
        wait = "const done = arguments[0]; setTimeout(() => done(), 250)"
        self.driver.execute_async_script(wait)
        return self.text("#shown")


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = _CHROMIUM
    for option in _OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(_DRIVER))
    yield started
    started.quit()


@pytest.fixture
def browser(driver: Any, tmp_path: Path) -> Iterator[Browser]:
    path = f"src/{HOSTILE}.py"
    results = (
        make.result(
            pages.fixed(),
            make.manual(line=4, column=1, end_line=4, end_column=2, message=HOSTILE),
        ),
        make.result(make.unsafe(path=path, line=1, end_line=1), path=path),
    )
    text = pages.page(*results, texts={"train.py": pages.CODE, path: f"x = '{HOSTILE}'\n"})
    (tmp_path / "report.html").write_text(text, encoding="utf-8")
    driver.get((tmp_path / "report.html").as_uri())
    yield Browser(driver)
    assert driver.get_log("browser") == []
    assert driver.title == "Neuron migration: manual"


def test_code_appears_when_a_finding_is_opened(browser: Browser) -> None:
    assert not browser.run("return document.querySelector('pre')")
    opened = "return new Promise(done => { for (const e of document.querySelectorAll('.finding'))"
    browser.run(f"{opened} e.querySelector('summary').click(); setTimeout(done, 100) }})")
    assert browser.run("return document.querySelectorAll('pre').length") == 3
    assert browser.text("pre del") == f"-{pages.CODE.splitlines()[2]}"
    assert browser.text("pre ins b") == "neuron"
    assert browser.text("#f2 mark") == "y"
    assert HOSTILE in browser.text("#f0 pre")
    assert "One reason." in browser.text("#f1 details")


def test_filters(browser: Browser) -> None:
    assert browser.text("#shown") == "3 findings in 2 files"
    for selector, change, shown in (
        ("[value=breaks]", "e.click()", "1 of 3 findings in 1 file"),
        ("[value=breaks]", "e.click()", "3 findings in 2 files"),
        ("[value=safe]", "e.click()", "2 of 3 findings in 2 files"),
        ("[type=reset]", "e.click()", "3 findings in 2 files"),
        ("[name=folder]", f"e.selectedIndex = 1; {_TOLD}", "1 of 3 findings in 1 file"),
        ("[name=text]", _typed("ONERROR nm101"), "1 of 3 findings in 1 file"),
        ("[name=folder]", _typed(""), "2 of 3 findings in 2 files"),
        ("[name=family]", _typed("device"), "2 of 3 findings in 2 files"),
        ("[name=text]", _typed("nothing has this"), "0 of 3 findings in 0 files"),
    ):
        assert browser.choose(selector, change) == shown


def test_a_link_opens_what_the_filters_had_hidden(browser: Browser) -> None:
    browser.choose("[value=breaks]", "e.click()")
    browser.choose("body", "location.hash = '#f1'")
    assert browser.run("return document.querySelector('#f1').open")
    assert browser.text("#shown") == "3 findings in 2 files"
    assert browser.run("return document.activeElement.parentElement.id") == "f1"


def test_folders_close_and_open(browser: Browser) -> None:
    hidden = "return document.querySelectorAll('.tree tr[hidden]').length"
    assert browser.run(hidden) == 0
    browser.run("document.querySelector('.fold').click()")
    assert browser.run(hidden) == 1
    assert browser.run("return document.querySelector('.fold').ariaExpanded") == "false"
    browser.run("document.querySelector('.fold').click()")
    assert browser.run(hidden) == 0


def test_colours(browser: Browser) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    seen = []
    for _ in range(3):
        browser.run("document.querySelector('#theme').click()")
        seen.append((browser.text("#theme"), browser.run(background)))
    assert seen[0] == ("Colours: light", "rgb(255, 255, 255)")
    assert seen[1] == ("Colours: dark", "rgb(20, 23, 27)")
    assert seen[2][0] == "Colours: as the system"
