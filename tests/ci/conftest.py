"""A git repository with one old finding on its main branch and one new beside it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

OLD = 'import torch\n\nx = torch.ones(2, device="cuda")\n'
NEW = OLD + "y = x.cuda()\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, apart from this machine's git configuration and caches."""
    for variable in [name for name in os.environ if name.startswith(("GIT_", "CI_"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "A Person")
    git(folder, "config", "user.email", "person@example.org")
    (folder / "a.py").write_text(OLD)
    (folder / ".gitignore").write_text("neuron-migrate.*\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "old")
    return folder


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)
    return done.stdout.decode().strip()
