"""The simulated device is one per process and cannot be taken away again.

So that no other test meets it, programs run in a process of their own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.rehearse import recording

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Run = tuple[subprocess.CompletedProcess[str], list[recording.Recording]]


@pytest.fixture
def rehearse(tmp_path: Path) -> Callable[..., Run]:
    """Runs source text on the device: what it printed, and the recordings."""
    pytest.importorskip("torch", reason="the simulated device needs torch")

    def run(source: str, *arguments: str, cores: int = 2) -> Run:
        script = tmp_path / "program.py"
        script.write_text(textwrap.dedent(source))
        command = ["-m", "neuron_migrate.rehearse.child", "--recording", str(tmp_path / "rec")]
        command += ["--cores", str(cores), str(script), *arguments]
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, *command],
            capture_output=True, text=True, env=environment, check=False,
        )  # fmt: skip
        return done, recording.read(tmp_path / "rec")

    return run
