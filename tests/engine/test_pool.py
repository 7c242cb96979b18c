"""A file that crashes or hangs its process costs that file, not the run."""

from __future__ import annotations

import os
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.engine import pool, run
from neuron_migrate.engine.work import Worker
from neuron_migrate.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.finding import FileResult

CODE = "import torch\nx = torch.ones(2).cuda()\n"


def dies(self: Worker, data: bytes, path: str) -> FileResult:
    if path == "bad.py":
        os.kill(os.getpid(), signal.SIGKILL)
    return ORIGINAL(self, data, path)


def hangs(self: Worker, data: bytes, path: str) -> FileResult:
    if path == "bad.py":
        time.sleep(60)
    return ORIGINAL(self, data, path)


ORIGINAL = Worker.result


def results(folder: Path) -> dict[str, FileResult]:
    names = ["a.py", "b.py", "bad.py", "c.py"]
    for name in names:
        (folder / name).write_text(CODE)
    settings = Settings(root=folder, cache=False, jobs=2)
    files = [folder / name for name in names]
    found = run.scan(files, loader.load(), settings, fix=False)
    return {result.path: result for result in found}


@pytest.mark.parametrize(
    ("fault", "reason"), [(dies, "crashed its process"), (hangs, "took too long")]
)
def test_one_bad_file_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: object, reason: str
) -> None:
    monkeypatch.setattr(Worker, "result", fault)
    monkeypatch.setattr(run, "_SMALL", 0)
    monkeypatch.setattr(pool, "_SECONDS", 1.0)
    found = results(tmp_path)
    assert found["bad.py"].failed
    assert reason in found["bad.py"].findings[0].message
    assert [found[name].findings[0].code for name in ("a.py", "b.py", "c.py")] == ["NM103"] * 3


def test_processes_give_what_one_gives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = results(tmp_path)
    monkeypatch.setattr(run, "_SMALL", 0)
    assert results(tmp_path) == alone


def test_processes_that_die_without_a_file_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = results(tmp_path)
    begun = tmp_path / "begun"
    begin = pool._start

    def dies_at_first(*given: Any) -> None:
        with begun.open("ab") as file:
            file.write(b".")
        if begun.stat().st_size <= 2:
            os.kill(os.getpid(), signal.SIGKILL)
        begin(*given)

    monkeypatch.setattr(pool, "_start", dies_at_first)
    monkeypatch.setattr(run, "_SMALL", 0)
    assert results(tmp_path) == alone
    assert begun.stat().st_size > 2


def test_processes_that_always_die_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_start", lambda *given: os.kill(os.getpid(), signal.SIGKILL))
    monkeypatch.setattr(run, "_SMALL", 0)
    found = results(tmp_path)
    assert len(found) == 4
    assert all(each.failed for each in found.values())
    assert "die before they begin" in found["a.py"].findings[0].message
