"""What the README and the documentation show, run again.

    python -m tests.readme

rewrites every ``console`` block of their pages with what its commands print now. The commands of a
page run one after another in the same copy of the examples.
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


def pages() -> list[Path]:
    """The pages written by hand."""
    return [README, *sorted((ROOT / "docs").glob("*.md")), *sorted(ROOT.glob("docs/guides/*.md"))]


def blocks(text: str) -> list[str]:
    """The console blocks of a page."""
    return _BLOCK.findall(text)


def run(text: str) -> str:
    """The page with the ``$ neuron-migrate`` commands of its console blocks run."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        shutil.copytree(ROOT / "examples", work / "examples")
        return _BLOCK.sub(lambda found: _run_block(found.group(), work), text)


def _run_block(block: str, folder: Path) -> str:
    commands = [line for line in block.splitlines() if line.startswith("$ ")]
    shown = "".join(f"{command}\n{_output(command[2:], folder)}" for command in commands)
    return shown.rstrip("\n") + "\n"


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
    """Rewrite the pages in place."""
    for page in pages():
        text = page.read_text("utf-8")
        page.write_text(run(text), "utf-8")


if __name__ == "__main__":
    main()
