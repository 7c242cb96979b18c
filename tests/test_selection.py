"""Which rules speak about which files, through the real engine and its cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.engine import run
from neuron_migrate.selection import Selection
from neuron_migrate.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("pattern", "path", "allowed"),
    [
        ("tests/*", "tests/a.py", False),
        ("tests/*", "tests/deep/a.py", False),
        ("tests/", "src/tests/a.py", False),
        ("/tests/", "src/tests/a.py", True),
        ("*.ipynb", "a/b.ipynb", False),
        ("tests/*", "a.py", True),
    ],
)
def test_a_pattern_ignores_codes(pattern: str, path: str, allowed: bool) -> None:
    selection = Selection(select=("NM101",), per_file=((pattern, ("NM1",)),))
    assert selection.allows("NM101", path) is allowed
    assert not selection.allows("NM201", path)


@pytest.mark.parametrize("fix", [False, True])
def test_equal_files_with_other_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fix: bool
) -> None:
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    files = [tmp_path / "tests/a.py", tmp_path / "a.py"]
    for file in files:
        file.parent.mkdir(exist_ok=True)
        file.write_text("import torch\nx = torch.ones(2).cuda()\n")
    settings = Settings(root=tmp_path, per_file_ignores={"tests/*": ("NM1",)})
    for _ in range(2):  # the second time from the cache
        results = run.scan(files, loader.load(), settings, fix=fix)
        assert [(each.path, bool(each.findings), bool(each.fixed)) for each in results] == [
            ("a.py", True, fix),
            ("tests/a.py", False, False),
        ]
