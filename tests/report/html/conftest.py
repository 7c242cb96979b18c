"""Pages in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from neuron_migrate.report.html.code import Text
from tests.report import factory as make
from tests.report.html import pages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.report.html.browser import Browser

HOSTILE = "</script><img src=x onerror=document.title='bad'>"


@pytest.fixture(scope="package")
def driver() -> Iterator[Any]:
    from tests.report.html import browser

    started = browser.start()
    yield started
    started.quit()


@pytest.fixture
def browser(driver: Any, tmp_path: Path) -> Iterator[Browser]:
    """Three findings: fixed by ``fix --apply`` and by hand in train.py, unsafe in a hostile one."""
    from tests.report.html.browser import Browser

    path, code = f"src/{HOSTILE}.py", f"x = '{HOSTILE}'\n"
    by_hand = make.manual(line=40, column=1, end_line=40, end_column=2, message=HOSTILE)
    unsafe = make.unsafe(path=path, line=1, end_line=1, edits=pages.edit(code, "x", "y"))
    long = pages.CODE + "".join(f"y = {number}\n" for number in range(5, 60))
    texts = {"train.py": Text(long, long.replace("cuda", "neuron")), path: Text(code, code)}
    results = (
        make.result(pages.fixed(), by_hand),
        make.result(unsafe, path=path),
    )
    (tmp_path / "report.html").write_text(pages.page(*results, texts=texts), encoding="utf-8")
    driver.get("about:blank")
    shown = Browser(driver, tmp_path / "report.html")
    shown.emulate()
    shown.open()
    yield shown
    assert driver.get_log("browser") == []
    assert driver.title.startswith("Neuron migration: ")
