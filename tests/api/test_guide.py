"""The guide to the API does what it says."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "python-api.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = doctest.testfile(str(GUIDE), module_relative=False)
    assert found.attempted > 10
    assert found.failed == 0
