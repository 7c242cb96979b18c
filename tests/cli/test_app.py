"""How a run starts and ends: imports, interrupts, streams that go away."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate import __version__
from neuron_migrate.cli import output, progress

if TYPE_CHECKING:
    import types

    from tests.cli.conftest import Runner

HEAVY = (
    "libcst",
    "torch",
    "pydantic",
    "rich.progress",
    "rich.markdown",
    "rich.syntax",
    "rich.console",
    "pygls",
)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"], ["-h"], []])
def test_start_up_imports_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    assert _heavy_imports(arguments, tmp_path) == []


def test_a_check_of_a_clean_file_imports_nothing_heavy(tmp_path: Path) -> None:
    pytest.importorskip("neuron_migrate.engine.run")
    (tmp_path / "a.py").write_text("import os\n\nprint(os.getcwd())\n")
    assert _heavy_imports(["check", "a.py", "--no-cache"], tmp_path) == []


def _heavy_imports(arguments: list[str], folder: Path) -> list[str]:
    code = (
        "import sys; from neuron_migrate.cli.app import run\n"
        f"status = run({arguments!r})\n"
        f"print('HEAVY', *[name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, env=environment()
    )
    assert "HEAVY" in done.stderr, done.stderr
    return done.stderr.split("HEAVY")[1].split()


def environment() -> dict[str, str]:
    """The package of this checkout comes first, wherever the process runs."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def test_version(cli: Runner) -> None:
    run = cli("--version")
    assert (run.status, run.text, run.err) == (0, f"neuron-migrate {__version__}\n", "")


def test_help_names_every_command(cli: Runner) -> None:
    run = cli("--help")
    assert run.status == 0
    for command in ("check", "fix", "undo", "explain", "rules"):
        assert f"\n  {command} " in run.text


def test_without_a_command_there_is_help_and_an_error(cli: Runner) -> None:
    run = cli()
    assert (run.status, "Usage:" in run.text) == (2, True)


def test_a_misspelled_command_is_one_line(cli: Runner) -> None:
    run = cli("chekc")
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert "chekc" in run.err


def test_module_runs_like_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "neuron_migrate", "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, env=environment())
    assert (done.returncode, done.stdout.decode().split()[0]) == (0, "neuron-migrate")


@pytest.mark.parametrize(
    ("error", "status", "words"),
    [
        (KeyboardInterrupt(), 130, ""),
        (PermissionError(13, "Permission denied", "a.py"), 2, "Permission denied"),
        (ZeroDivisionError("oh"), 2, "internal error: ZeroDivisionError('oh')"),
    ],
)
def test_ends(
    cli: Runner,
    project: Path,
    engine: types.ModuleType,
    error: BaseException,
    status: int,
    words: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    engine.scan = fail  # type: ignore[attr-defined]
    (project / "a.py").write_text("x\n")
    run = cli("check")
    assert run.status == status
    assert words in run.err
    assert ("Traceback" in run.err) is isinstance(error, ZeroDivisionError)


def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as stream:
        output.emit(b"x" * 100_000, stream)
        output.emit(b"more", stream)


def test_closed_standard_output_is_no_error() -> None:
    output.emit(b"x", None)


@pytest.mark.parametrize("command", ["--help", "--version", "rules"])
def test_head_leaves_no_noise(command: str, tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "neuron_migrate", command],
        cwd=tmp_path,
        stdout=write,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    os.close(write)
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("choice", "terminal", "environment", "wanted"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {}, False),
    ],
)
def test_when_there_is_colour(
    monkeypatch: pytest.MonkeyPatch,
    choice: str,
    terminal: bool,
    environment: dict[str, str],
    wanted: bool,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert output.wants_color(choice, _Stream(terminal)) is wanted


class _Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("terminal", "wanted", "patience", "shown"),
    [
        (True, True, -1.0, True),
        (True, True, 60.0, False),
        (True, False, -1.0, False),
        (False, True, -1.0, False),
    ],
)
def test_progress_appears_on_a_terminal_that_waits(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, wanted: bool, patience: float, shown: bool
) -> None:
    stream = _Stream(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", patience)
    with progress.Progress(2, wanted=wanted) as bar:
        bar.advance()
        bar.advance()
    assert ("reading" in stream.getvalue()) is shown


def test_an_output_file_keeps_its_mode_and_follows_its_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    output.write_file(link, b"new")
    assert (real.read_bytes(), link.is_symlink()) == (b"new", True)
    assert real.stat().st_mode & 0o777 == 0o640


def test_an_output_device_is_written_to_not_replaced() -> None:
    device = Path(os.devnull)
    output.write_file(device, b"x")
    assert device.is_char_device()
