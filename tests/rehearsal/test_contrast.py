from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.rehearsal import scratch
from neuron_migrate.rehearsal.contrast import close, contrast
from neuron_migrate.rehearsal.observed import Observed

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.rehearsal.contrast import Contrast


def observed(folder: Path, stdout: str = "", stderr: str = "", **files: bytes) -> Observed:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return Observed(status=0, stdout=stdout, stderr=stderr, folder=folder, files=tuple(files))


def compared(found: Observed, expected: Observed) -> Contrast:
    return contrast(found, expected, 1e-5, sys.executable)


@pytest.mark.parametrize(
    ("found", "expected", "equal"),
    [
        (1.0, 1.000001, True),
        (1.0, 1.0001, False),
        (0.0, 1e-9, True),
        (0.0, 1e-4, False),
        (float("nan"), float("nan"), True),
        (float("nan"), 1.0, False),
        (float("inf"), float("inf"), True),
    ],
)
def test_close(found: float, expected: float, equal: bool) -> None:
    assert close(found, expected, 1e-5) is equal


def test_streams(tmp_path: Path) -> None:
    found = observed(tmp_path / "a", "loss 1.0\nloss 2.0\nextra 3\nhello\n", "warned 4\n")
    expected = observed(tmp_path / "b", "loss 1.0\nother 5\nloss 2.1\n", "seen 6\n")
    made = compared(found, expected)
    [difference] = made.differing.values()
    assert (difference.where, difference.line, difference.text) == ("stdout", 2, "loss 2.0")
    assert (difference.found, difference.expected, made.numbers) == ("2.0", "2.1", 2)
    assert [*made.unmatched.values()] == ["+extra 3", "-other 5"]


def test_files(tmp_path: Path) -> None:
    found = observed(
        tmp_path / "a", same=b"\0", text=b'{"loss": 1.0}', log=b"x 1", odd=b"\xff", ours=b""
    )
    expected = observed(
        tmp_path / "b", same=b"\0", text=b'{"loss": 1.000001}', log=b"x 2", odd=b"\xfe", theirs=b""
    )
    made = compared(found, expected)
    assert {saved.path: saved.status for saved in made.saved} == {
        "same": "equal",
        "text": "equal",
        "log": "differs",
        "odd": "not-compared",
        "ours": "device-only",
        "theirs": "cpu-only",
    }


def test_noise_is_left_out(tmp_path: Path) -> None:
    runs = [observed(tmp_path / name, f"id {name}\nloss {name}\n") for name in ("1", "2")]
    again = observed(tmp_path / "3", "id 3\nloss 2\n")
    made = compared(*runs)
    assert made.without(compared(runs[1], again)) == 1
    assert [each.text for each in made.differing.values()] == ["loss 1"]


def test_a_copy_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "_LARGE", 10)
    folder, copy = tmp_path / "a", tmp_path / "b"
    for name in (".git/x", "venv/pyvenv.cfg", "src/a.py", "data/large"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x" * (20 if name == "data/large" else 1))
    scratch.copy(folder, copy)
    assert [file.as_posix() for file in scratch.files(copy)] == ["data/large", "src/a.py"]
    assert (copy / "venv").is_symlink()
    assert (copy / "data/large").is_symlink()
    before = scratch.snapshot(copy)
    (copy / "src/a.py").write_text("changed")
    (copy / "new").write_text("")
    assert sorted(scratch.written(copy, before)) == ["new", "src/a.py"]
    assert (folder / "src/a.py").read_text() == "x"
