"""``fix --interactive``: what each answer does, at a pretended and at a real terminal."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import msgspec
import pytest

from neuron_migrate.cli import app
from neuron_migrate.cli.terminal import Terminal
from tests.cli.test_app import environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Answer = Callable[..., tuple[int, str, str]]

A = 'import torch\nx = torch.ones(1).to("cuda")\ny = x.cuda()\nz = y.to("cuda")\n'
B = 'import torch\nx = torch.ones(1, device="cuda")\n'
TOGETHER = """\
import torch
def run(args):
    args.device = "cuda"
    x = torch.ones(1, device=args.device)
    if args.device == "cuda":
        x = x.float()
    return x
"""
QUESTION = "Make this fix"


@pytest.fixture
def tree(project: Path) -> Path:
    (project / "a.py").write_text(A)
    (project / "b.py").write_text(B)
    return project


@pytest.fixture
def answer(
    tree: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Answer:
    """Runs ``fix -i`` and gives one answer after another; then the input ends."""

    def run(*answers: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        left = iter(answers)

        def ask(self: Terminal, prompt: str) -> str | None:
            self.show(prompt)
            return next(left, None)

        monkeypatch.setattr(Terminal, "is_there", staticmethod(lambda: True))
        monkeypatch.setattr(Terminal, "ask", ask)
        status = app.run(["fix", "-i", "--no-cache", *options])
        out, err = capfdbinary.readouterr()
        return status, out.decode(), err.decode()

    return run


def _new(tree: Path) -> tuple[list[int], list[int]]:
    """The lines of the two files that are migrated."""
    return (_lines(tree / "a.py"), _lines(tree / "b.py"))


def _lines(file: Path) -> list[int]:
    return [n for n, line in enumerate(file.read_text().split("\n"), 1) if "neuron" in line]


@pytest.mark.parametrize(
    ("answers", "a", "b"),
    [
        ("yyyy", [2, 3, 4], [2]),
        ("nnnn", [], []),
        ("ynyn", [2, 4], []),
        ("nnfy", [4], [2]),
        ("fn", [2, 3, 4], []),
        ("an", [2, 4], [2]),
        ("nann", [3], []),
        ("sy", [], [2]),
        ("ysn", [2], []),
        ("q", [], []),
        ("yq", [2], []),
        ("yunyny", [3], [2]),
        ("yuuyyyy", [2, 3, 4], [2]),
        ("auyyyn", [2, 3, 4], []),
        ("w?ynnn", [2], []),
        ("x", [], []),
        ("yyx", [], []),
        ("yy", [], []),
    ],
)
def test_answers(tree: Path, answer: Answer, answers: str, a: list[int], b: list[int]) -> None:
    before = (tree / "a.py").read_text(), (tree / "b.py").read_text()
    answer(*answers)
    assert _new(tree) == (a, b)
    if a or b:
        assert app.run(["undo"]) == 0
    assert ((tree / "a.py").read_text(), (tree / "b.py").read_text()) == before


def test_what_is_shown(answer: Answer) -> None:
    status, out, err = answer("y", "n", "y", "n")
    assert status == 1
    first = out[: out.index(QUESTION)]
    assert "a.py:2:22 NM101 cuda-device-string\n  risk breaks, documented, safe fix\n" in first
    assert '@@ -1,4 +1,4 @@\n import torch\n-x = torch.ones(1).to("cuda")\n' in first
    assert out.count(QUESTION) == 4
    assert "Accepted 2 fixes:\n  a.py:2:22 NM101 cuda-device-string\n  a.py:4:10" in out
    assert "Declined 2 fixes:\n  a.py:3:7 NM103 cuda-method\n  b.py:2:26" in out
    assert "Fixed 2 findings in 1 file. neuron-migrate undo takes it back." in out
    assert "neuron-migrate fix --apply fixes 2 findings." in out
    assert err == ""


def test_what_is_made_together_is_asked_together(tree: Path, answer: Answer) -> None:
    for name in ("a.py", "b.py"):
        (tree / name).unlink()
    (tree / "c.py").write_text(TOGETHER)
    _, out, _ = answer("n")
    assert "These 2 fixes are made together or not at all." in out
    assert "Make these 2 fixes [y,n," in out


def test_why(answer: Answer) -> None:
    _, out, _ = answer("w", "x")
    for part in ("\nWhy\n", "\nFix safety\n", "\nSources\n  https://"):
        assert part in out
    assert "Example" not in out


def test_help_for_what_is_not_understood(answer: Answer) -> None:
    _, out, _ = answer("?", "yes", "u", "x")
    assert out.count("q - quit") == 2
    assert "There is no answer to take back" in out


def test_unsafe_fixes_are_marked(tree: Path, answer: Answer) -> None:
    (tree / "a.py").write_text(
        "from torch.cuda.amp import autocast  # fast\nwith autocast():\n    f()\n"
    )
    _, out, _ = answer("y", "n", "n", options=("--unsafe",))
    assert ", UNSAFE fix\n" in out
    assert "unsafe: removing the line would lose a comment" in out


def test_leaving_without_a_trace(tree: Path, answer: Answer) -> None:
    for answers in ("x", "y"):  # after y the input ends
        status, out, err = answer(*answers, options=("--patch", "p.diff"))
        assert (status, err) == (130, "neuron-migrate: nothing was written\n")
        assert "Verdict" not in out
    assert not (tree / "p.diff").exists()


def test_the_patch_is_what_was_accepted(tree: Path, answer: Answer) -> None:
    answer("y", "n", "n", "n", options=("--patch", "p.diff"))
    diff = (tree / "p.diff").read_text()
    assert diff.count("\n@@") == 1
    assert '+x = torch.ones(1).to("neuron")\n' in diff


def test_a_file_that_changes_meanwhile_is_left(
    tree: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Terminal.show

    def show(self: Terminal, content: str | bytes) -> None:
        original(self, content)
        if isinstance(content, str) and "b.py" in content:
            (tree / "b.py").write_text(B + "# by someone else\n")

    monkeypatch.setattr(Terminal, "show", show)
    status, _, err = answer("y", "y", "y", "y")
    assert (status, "b.py: it changed while it was being fixed" in err) == (2, True)
    assert _new(tree) == ([2, 3, 4], [])


def test_a_notebook_shows_its_cell(tree: Path, answer: Answer) -> None:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cell |= {"source": ["import torch\n", 'x = y.to("cuda")']}
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    (tree / "0.ipynb").write_bytes(msgspec.json.encode(book))
    _, out, _ = answer("q")
    assert "0.ipynb:cell 1:2:10 NM101" in out
    assert '0.ipynb, cell 1\n@@ -1,2 +1,2 @@\n import torch\n-x = y.to("cuda")\n' in out


def test_it_needs_a_terminal(tree: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert app.run(["fix", "-i"]) == 2
    out, err = capfdbinary.readouterr()
    assert out == b""
    assert err.startswith(b"neuron-migrate: error: --interactive needs a terminal")


@pytest.mark.parametrize("option", [["-"], ["--output-format", "json"]])
def test_what_it_cannot_be_combined_with(
    tree: Path, capfdbinary: pytest.CaptureFixture[bytes], option: list[str]
) -> None:
    assert app.run(["fix", "-i", *option]) == 2
    err = capfdbinary.readouterr().err
    assert b"--interactive cannot be combined with " + option[0].encode() in err


at_a_terminal = pytest.mark.skipif(sys.platform == "win32", reason="it has no pseudo terminals")


class Pty:
    """The command at a real terminal."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        import pty  # there is none on Windows

        self._ours, theirs = pty.openpty()
        code = [sys.executable, "-m", "neuron_migrate", "fix", "-i", "--no-cache", *arguments]
        self.process = subprocess.Popen(
            code, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env=environment(),
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.seen = ""

    def wait_for(self, text: str) -> None:
        """Read until a text comes; what was read is forgotten."""
        while text not in self.seen:
            if not (data := self._read()):
                pytest.fail(f"{text!r} did not come:\n{self.seen}")
            self.seen += data
        self.seen = self.seen.partition(text)[2]

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    def end(self) -> int:
        """Read what is left; the exit status."""
        while data := self._read():
            self.seen += data
        os.close(self._ours)
        return self.process.wait(60)

    def _read(self) -> str:
        """What was printed; nothing at the end, or when nothing comes for a minute."""
        ready, _, _ = select.select([self._ours], [], [], 60)
        try:
            return os.read(self._ours, 4096).decode() if ready else ""
        except OSError:  # how Linux says that the other end is closed
            return ""


@pytest.fixture
def terminal(tree: Path) -> Iterator[Callable[..., Pty]]:
    started: list[Pty] = []

    def start(*arguments: str) -> Pty:
        started.append(Pty(tree, *arguments))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.process.kill()


@at_a_terminal
def test_at_a_terminal(tree: Path, terminal: Callable[..., Pty]) -> None:
    run = terminal("a.py")
    for typed in ("y", "n", "y"):
        run.wait_for(QUESTION)
        run.type(f"{typed}\n")
    assert run.end() == 1
    assert "Fixed 2 findings in 1 file." in run.seen
    assert "\x1b[1m" in run.seen
    assert _new(tree) == ([2, 4], [])


@at_a_terminal
def test_an_interrupt_writes_nothing(tree: Path, terminal: Callable[..., Pty]) -> None:
    run = terminal("--no-color")
    run.wait_for(QUESTION)
    run.type("y\n")
    run.wait_for(QUESTION)
    time.sleep(0.1)
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 130
    assert run.seen.strip().endswith("neuron-migrate: interrupted: nothing was written")
    assert "Traceback" not in run.seen
    assert _new(tree) == ([], [])


@at_a_terminal
def test_the_end_of_the_input_writes_nothing(tree: Path, terminal: Callable[..., Pty]) -> None:
    run = terminal("a.py")
    run.wait_for(QUESTION)
    run.type("\x04")
    assert run.end() == 130
    assert _new(tree) == ([], [])
