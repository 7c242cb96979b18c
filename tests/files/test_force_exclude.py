"""``--force-exclude`` holds named files to the exclude patterns, as hooks need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.files.discovery import discover

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("force", "names"), [(False, ["a.py", "third_party/t.py"]), (True, ["a.py"])]
)
def test_a_named_file_under_an_exclude_pattern(
    tmp_path: Path, force: bool, names: list[str]
) -> None:
    (tmp_path / "third_party").mkdir()
    files = [tmp_path / "a.py", tmp_path / "third_party" / "t.py"]
    for file in files:
        file.write_text("")
    found = discover(files, root=tmp_path, exclude=["third_party/"], force_exclude=force)
    assert [file.relative_to(tmp_path).as_posix() for file in found.files] == names
