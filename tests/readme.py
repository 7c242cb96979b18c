"""What the README shows, run again.

    python -m tests.readme

rewrites every ``console`` block of README.md with what its commands print now.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
_BLOCK = re.compile(r"(?<=```console\n).*?(?=^```)", re.DOTALL | re.MULTILINE)


def blocks(text: str) -> list[str]:
    """The console blocks of a README."""
    return _BLOCK.findall(text)


def run_block(block: str) -> str:
    """The block with its ``$ neuron-migrate`` commands run, in a copy of the examples."""
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        shutil.copytree(ROOT / "examples", work / "examples")
        return "".join(f"{command}\n{_output(command[2:], work)}" for command in commands)


def _output(command: str, folder: Path) -> str:
    program, *arguments = shlex.split(command)
    assert program == "neuron-migrate", f"only neuron-migrate is run, not {program}"
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "neuron_migrate", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


def main() -> None:
    """Rewrite the README in place."""
    text = README.read_text()
    README.write_text(_BLOCK.sub(lambda found: run_block(found.group()), text))


if __name__ == "__main__":
    main()
