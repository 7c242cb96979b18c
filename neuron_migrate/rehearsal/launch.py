"""Runs the program on the simulated device, in a process of its own that has our terminal."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.rehearsal.captured import Captured  # noqa: TC001 - msgspec reads it
from neuron_migrate.rehearse.seeding import SEED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_PACKAGE = Path(__file__).resolve().parent.parent

REPEATABLE = {SEED: "0", "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
"""The environment of programs whose output is compared."""


class Launch(msgspec.Struct, frozen=True, kw_only=True):
    """What to run; ``program`` is a path and its arguments, or ``-m``, a module and its."""

    python: str
    program: tuple[str, ...]
    recording: Path
    """The folder that the processes of the program write to."""
    cores: int | None = None
    on_cpu: bool = False
    """Whether the device is left out."""
    folder: Path | None = None
    """The working folder; ours where it is None."""
    captured: Captured | None = None
    """Where to keep what it prints; nowhere where it is None."""

    @property
    def command(self) -> list[str]:
        """The command line of the process."""
        cores = [] if self.cores is None else ["--cores", str(self.cores)]
        child = ["-m", "neuron_migrate.rehearse.child", "--recording", str(self.recording)]
        on_cpu = ["--on-cpu"] if self.on_cpu else []
        return [self.python, *child, *cores, *on_cpu, *self.program]


def run(launch: Launch) -> int:
    """Run it to its end; its exit status, negative for the signal that ended it.

    Ctrl-C reaches the program from the terminal, as without us; SIGTERM is handed on.
    """
    with _package_alone() as folder:
        environment = _environment(folder)
        if launch.captured is None:
            process = subprocess.Popen(launch.command, env=environment)
            with _signals(process):
                return process.wait()
        process = subprocess.Popen(
            launch.command, cwd=launch.folder, env=environment | REPEATABLE,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        with _signals(process), launch.captured.follow(process):
            return process.wait()


def ask(python: str, module: str, question: bytes) -> bytes | None:
    """What one of our modules answers under an interpreter; None when it fails."""
    with _package_alone() as folder:
        done = subprocess.run(
            [python, "-m", module],
            input=question, env=_environment(folder), capture_output=True, check=False,
        )  # fmt: skip
    return None if done.returncode else done.stdout


@contextmanager
def _package_alone() -> Iterator[str]:
    """A folder for PYTHONPATH with this package only, which shadows nothing of the program's."""
    with tempfile.TemporaryDirectory(prefix="neuron-migrate-") as folder:
        Path(folder, _PACKAGE.name).symlink_to(_PACKAGE, target_is_directory=True)
        yield folder


def _environment(folder: str) -> dict[str, str]:
    paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@contextmanager
def _signals(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Outlive an interrupt, so that there is a report of what ran."""

    def hand_on(number: int, frame: FrameType | None) -> None:
        process.send_signal(number)

    # A handler, not SIG_IGN, which a process that is started would inherit.
    interrupt = signal.signal(signal.SIGINT, lambda number, frame: None)
    terminate = signal.signal(signal.SIGTERM, hand_on)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, interrupt)
        signal.signal(signal.SIGTERM, terminate)
