"""``fix --apply`` and ``undo`` themselves, killed: ``undo`` gives back every byte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.cli import app
from tests.apply.test_undo import STATE, entries, plant, tree
from tests.cases import catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parent.parent.parent
CODE = b'import torch\r\n\r\nx = torch.ones(2, device="cuda")  # caf\xc3\xa9'
SHELL = b"CUDA_VISIBLE_DEVICES=0,1 torchrun train.py\n"
BEFORE = {"neuron-migrate.toml": b"", "p/a.py": CODE, "q/b.sh": SHELL}
APPLY = ("fix", "--apply", "--no-cache", "--quiet", ".")


@pytest.fixture(autouse=True)
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What every process would import and read again is there before they are forked."""
    rules = catalog()
    monkeypatch.setattr(loader, "load", lambda *_, **__: rules)
    monkeypatch.chdir(plant(tmp_path / "first", BEFORE))
    assert (app.run(APPLY), app.run(["undo"])) == (0, 0)


def run(root: Path, *arguments: str) -> int:
    """The exit status of a command in a forked process, killed or not."""
    return _forked(root, arguments, lambda: None)


def run_until(step: int, root: Path, *arguments: str) -> int:
    """The same, killed by SIGKILL right before the ``step``-th time it waits for the disk."""

    def arm() -> None:
        left, fsync = [step], os.fsync

        def sync(descriptor: int) -> None:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            fsync(descriptor)

        os.fsync = sync

    return _forked(root, arguments, arm)


def _forked(root: Path, arguments: tuple[str, ...], arm: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.chdir(root)
            sys.stdout = sys.stderr = None
            arm()
            status = app.run(list(arguments))
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def crashes(tmp_path: Path, prepare: tuple[str, ...], *killed: str) -> Iterator[Path]:
    """A project for each moment the command can be killed at, after that."""
    step, ended = 0, False
    while not ended:
        step += 1
        root = plant(tmp_path / str(step), BEFORE)
        if prepare:
            assert run(root, *prepare) == 0
        ended = run_until(step, root, *killed) != -signal.SIGKILL
        yield root
    assert step > len(BEFORE)


def fixed(root: Path) -> dict[str, bytes]:
    """The files that are as a whole apply leaves them."""
    return {name: data for name, data in tree(root).items() if BEFORE.get(name, data) != data}


def give_back(root: Path) -> None:
    """Undoes everything that was applied, and looks at what is left."""
    while (root / STATE / "journal").is_dir() and entries(root):
        assert run(root, "undo") == 0
    assert tree(root) == BEFORE


def test_an_apply_killed_anywhere_is_undone(tmp_path: Path) -> None:
    seen = set()
    for root in crashes(tmp_path, (), *APPLY):
        seen.add(len(fixed(root)))
        give_back(root)
    assert seen == {0, 1, 2}


def test_an_apply_killed_anywhere_is_finished_by_the_next(tmp_path: Path) -> None:
    for root in crashes(tmp_path, (), *APPLY):
        assert run(root, *APPLY) == 0
        assert len(fixed(root)) == 2
        give_back(root)


def test_an_undo_killed_anywhere_is_finished_by_the_next(tmp_path: Path) -> None:
    seen = set()
    for root in crashes(tmp_path, APPLY, "undo"):
        seen.add(len(fixed(root)))
        give_back(root)
    assert seen == {0, 1, 2}


def test_an_undo_killed_anywhere_may_be_followed_by_an_apply(tmp_path: Path) -> None:
    for root in crashes(tmp_path, APPLY, "undo"):
        assert run(root, *APPLY) == 0
        give_back(root)


def test_several_applies_are_undone_one_after_the_other(tmp_path: Path) -> None:
    root = plant(tmp_path, BEFORE)
    states = [tree(root)]
    for command in (("p/a.py",), ("--select", "NM8", "."), (".",)):
        assert run(root, "fix", "--apply", "--no-cache", *command) == 0
        states.append(tree(root))
    assert len({tuple(state.items()) for state in states}) == 4
    for state in reversed(states[:-1]):
        assert run(root, "undo") == 0
        assert tree(root) == state
    assert run(root, "undo") == 2


def _killed_in_the_middle(root: Path, is_changed: Callable[[bytes], bool], *command: str) -> bool:
    """Kills a command from outside once a tenth of the files has changed; False when it ended."""
    files = sorted(root.glob("*.py"))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arguments = [sys.executable, "-m", "neuron_migrate", *command]
    with subprocess.Popen(arguments, cwd=root, env=environment, stdout=subprocess.DEVNULL) as child:
        while child.poll() is None:
            if is_changed(files[len(files) // 10].read_bytes()):
                child.kill()
                break
    return child.returncode == -signal.SIGKILL


@pytest.mark.parametrize("command", ["fix", "undo"])
def test_kill_9_from_outside(tmp_path: Path, command: str) -> None:
    """Where the machine lets the command end before its signal arrives, it gets more to do."""
    for count in (100, 400, 1600, 6400):
        before = {f"{number:04}.py": CODE for number in range(count)} | {"neuron-migrate.toml": b""}
        root = plant(tmp_path / str(count), before)
        if command == "fix":
            killed = _killed_in_the_middle(root, lambda data: data != CODE, *APPLY)
        else:
            assert run(root, *APPLY) == 0
            killed = _killed_in_the_middle(root, lambda data: data == CODE, "undo")
        if killed:
            break
    assert killed
    assert 0 < len([data for data in tree(root).values() if data == CODE]) < count
    assert run(root, "undo") == 0
    assert tree(root) == before
