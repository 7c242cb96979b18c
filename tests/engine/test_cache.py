"""Earlier results stand for equal content under equal rules, and for nothing else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.engine import run
from neuron_migrate.engine.work import Worker
from neuron_migrate.finding import Shapes
from neuron_migrate.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.finding import FileResult

CODE = "import torch\nx = torch.ones(2).cuda()\n"


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(folder))
    return folder


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that were really analysed."""
    seen: list[str] = []
    original = Worker.result

    def result(self: Worker, data: bytes, path: str) -> FileResult:
        seen.append(path)
        return original(self, data, path)

    monkeypatch.setattr(Worker, "result", result)
    return seen


def scan(folder: Path, *names: str, fix: bool = False, **choices: Any) -> list[FileResult]:
    settings = Settings(root=folder, **choices)
    return run.scan([folder / name for name in names], loader.load(), settings, fix=fix)


def test_a_second_run_looks_at_nothing(tmp_path: Path, looks: list[str]) -> None:
    (tmp_path / "a.py").write_text(CODE)
    first = scan(tmp_path, "a.py")
    assert scan(tmp_path, "a.py") == first
    assert looks == ["a.py"]


def test_the_shapes_of_a_finding_are_known_again(tmp_path: Path, looks: list[str]) -> None:
    code = "from torch.utils.data import DataLoader\nx = DataLoader(d, batch_size=4)\n"
    (tmp_path / "a.py").write_text(code)
    scan(tmp_path, "a.py")
    (found,) = scan(tmp_path, "a.py")
    assert looks == ["a.py"]
    assert found.findings[0].shapes == Shapes(at_most=2, in_buckets=2)


def test_equal_content_elsewhere_is_known_under_its_own_path(
    tmp_path: Path, looks: list[str]
) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(CODE)
    scan(tmp_path, "a.py")
    (found,) = scan(tmp_path, "b.py")
    assert looks == ["a.py"]
    assert (found.path, found.findings[0].path) == ("b.py", "b.py")


@pytest.mark.parametrize(
    "choices",
    [{"target": "accelerator"}, {"select": ("NM101",)}, {"ignore": ("NM103",)}, {"fix": True}],
    ids=["target", "select", "ignore", "fix"],
)
def test_another_question_is_asked_anew(
    tmp_path: Path, looks: list[str], choices: dict[str, Any]
) -> None:
    (tmp_path / "a.py").write_text(CODE)
    scan(tmp_path, "a.py")
    scan(tmp_path, "a.py", **choices)
    assert looks == ["a.py", "a.py"]


def test_a_name_that_is_no_text_is_known_again(tmp_path: Path, looks: list[str]) -> None:
    name = os.fsdecode(b"\xff.py")
    (tmp_path / name).write_text(CODE)
    first = scan(tmp_path, name)
    assert scan(tmp_path, name) == first
    assert (first[0].path, looks) == (name, [name])


def test_changed_content_is_looked_at_again(tmp_path: Path, looks: list[str]) -> None:
    (tmp_path / "a.py").write_text(CODE)
    scan(tmp_path, "a.py")
    (tmp_path / "a.py").write_text(CODE + "y = 1\n")
    scan(tmp_path, "a.py")
    assert looks == ["a.py", "a.py"]


def test_a_broken_database_costs_nothing_but_time(
    tmp_path: Path, cache_folder: Path, looks: list[str]
) -> None:
    (tmp_path / "a.py").write_text(CODE)
    first = scan(tmp_path, "a.py")
    for file in cache_folder.iterdir():
        file.write_bytes(b"not a database" * 100)
    assert scan(tmp_path, "a.py") == first
    assert looks == ["a.py", "a.py"]


def test_no_cache_leaves_no_file(tmp_path: Path, cache_folder: Path) -> None:
    (tmp_path / "a.py").write_text(CODE)
    scan(tmp_path, "a.py", cache=False)
    assert not cache_folder.exists()
