"""Copies of the working folder, so that the program can run again from where it began.

The program that is compared with runs in a copy: nothing of the user's is moved or overwritten.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

_SKIPPED = frozenset({".git", ".hg", "node_modules", "__pycache__", ".mypy_cache", ".ruff_cache"})
_LARGE = 16 << 20
"""Bytes from which on a file is linked to: data sets are read, not written."""
_BUDGET = 1 << 30
"""Bytes that are copied at most; what comes after is linked to."""

Snapshot = dict[str, tuple[int, int]]
"""Relative path of each file to its time of change and size."""


def files(folder: Path) -> list[Path]:
    """The files below a folder, relative to it, without what tools keep and environments."""
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not _is_skipped(Path(parent, each)))
        found += [Path(parent, name).relative_to(folder) for name in sorted(names)]
    return found


def _is_skipped(folder: Path) -> bool:
    return folder.name in _SKIPPED or folder.is_symlink() or (folder / "pyvenv.cfg").exists()


def snapshot(folder: Path) -> Snapshot:
    """What is in a folder now."""
    stats = {}
    for file in files(folder):
        try:
            stat = (folder / file).stat()
        except OSError:
            continue
        stats[file.as_posix()] = (stat.st_mtime_ns, stat.st_size)
    return stats


def written(folder: Path, before: Snapshot) -> list[str]:
    """The files that are new or changed since a snapshot."""
    now = snapshot(folder)
    return [name for name, stat in now.items() if before.get(name) != stat]


def copy(folder: Path, target: Path) -> None:
    """Copy a folder; large files, and linked folders, are linked to."""
    budget = _BUDGET
    for parent, folders, _ in os.walk(folder):
        kept = [each for each in folders if not _is_skipped(Path(parent, each))]
        at = target / Path(parent).relative_to(folder)
        at.mkdir(parents=True, exist_ok=True)
        for each in set(folders) - set(kept):
            if each not in _SKIPPED:
                (at / each).symlink_to(Path(parent, each).resolve(), target_is_directory=True)
        folders[:] = kept
    for file in files(folder):
        source, copied = folder / file, target / file
        if not source.is_file():
            continue
        size = source.stat().st_size
        if size > _LARGE or size > budget:
            copied.symlink_to(source.resolve())
        else:
            budget -= size
            shutil.copy2(source, copied)
