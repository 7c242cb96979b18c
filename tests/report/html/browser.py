"""A browser for the tests, where the machine has one (Debian: chromium-driver)."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

webdriver = pytest.importorskip("selenium.webdriver")
_CHROMIUM, _DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MARKS = [
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
    "--window-size=1300,900",
)
_PATIENCE = 10
"""Seconds after which what a page should do is taken not to happen."""


def start() -> Any:
    """A driver; the caller ends it."""
    options = webdriver.ChromeOptions()
    options.binary_location = _CHROMIUM
    for option in _OPTIONS:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(_DRIVER))


class Browser:
    """A browser that shows one page."""

    def __init__(self, driver: Any, file: Path) -> None:
        self.driver = driver
        self.file = file

    def open(self, hash_: str = "") -> None:
        """Load the page anew, at an address in it."""
        self.driver.get("about:blank")
        self.driver.get(self.file.as_uri() + hash_)

    def run(self, script: str, *given: object) -> Any:
        return self.driver.execute_script(script, *given)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def count(self, selector: str) -> int:
        """How many elements are shown."""
        script = "return [...document.querySelectorAll(arguments[0])]"
        return int(self.run(f"{script}.filter(e => e.checkVisibility()).length", selector))

    def click(self, selector: str) -> None:
        """As with a mouse: fails when something else is in the way."""
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.driver.find_element("css selector", selector).click()

    def press(self, *keys: str) -> None:
        webdriver.ActionChains(self.driver).send_keys(*keys).perform()

    def focused(self) -> str:
        """The element that keys go to, by its text or its name."""
        script = "const e = document.activeElement; return e.id || e.name || e.textContent.trim()"
        return str(self.run(script))

    def until(self, shown: Callable[[], object], wanted: object) -> None:
        """Wait for what the page does a moment later."""
        end = time.monotonic() + _PATIENCE
        while (now := shown()) != wanted:
            assert time.monotonic() < end, f"{now!r}, not {wanted!r}"
            time.sleep(0.02)

    def until_shown(self, words: str) -> None:
        """Wait for what the filters say."""
        self.until(lambda: self.text("#shown"), words)

    def emulate(self, *, width: int = 1300, media: str = "", scheme: str = "light") -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        command, size = self.driver.execute_cdp_cmd, {"height": 900, "deviceScaleFactor": 1}
        command("Emulation.setEmulatedMedia", {"media": media, "features": features})
        command("Emulation.setDeviceMetricsOverride", {**size, "width": width, "mobile": False})
