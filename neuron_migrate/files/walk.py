"""Going through folders for files of known kinds, each real file once, never out of them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.patterns import as_prefix

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from neuron_migrate.files.ignore import Ignore

NOT_REGULAR = "not a regular file"

PASSED_OVER = frozenset(
    {
        ".eggs",
        ".git",
        ".hg",
        ".mypy_cache",
        ".neuron-migrate",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        "__pycache__",
        "build",
        "dist",
        "node_modules",
        "site-packages",
    }
)
"""Folders that hold no code of the project."""
_LARGEST_JSON = 256 * 1024
"""Bytes from which on a JSON file is taken for data; a configuration is a few kilobytes."""
_ENVIRONMENT_MARKS = frozenset({"pyvenv.cfg", "conda-meta"})


class Skipped(msgspec.Struct, frozen=True):
    """A path that was not read."""

    path: Path
    reason: str
    failed: bool = True
    """False when it was left out on purpose, such as a link out of the given paths."""


class Walk:
    """Collects the real absolute paths of what is found below folders.

    ``roots`` are the real paths of everything that was named: no link is followed out of them.
    ``kinds`` are those that are looked for.
    """

    def __init__(self, roots: Sequence[str], kinds: Container[Kind]) -> None:
        self._kinds = kinds
        self.found: set[str] = set()
        self.skipped: dict[str, Skipped] = {}
        self._files = frozenset(roots)
        self._folders = tuple(map(as_prefix, roots))
        self._seen: set[str] = set()
        self._links: dict[str, str] = {}

    def skip(self, path: str, reason: str, *, failed: bool = True) -> None:
        """Notes a path that is not read."""
        self.skipped[path] = Skipped(Path(path), reason, failed)

    def folder(self, top: str, ignore: Ignore) -> None:
        """Collects the files below a folder that was named, with what applies to it."""
        stack = [(top, ignore)]
        while stack:
            folder, above = stack.pop()
            if folder in self._seen:
                continue
            try:
                with os.scandir(folder) as entries:
                    listing = list(entries)
            except OSError as error:
                self.skip(folder, f"cannot read the folder: {error.strerror}")
                continue
            names = {entry.name for entry in listing}
            if folder != top and not names.isdisjoint(_ENVIRONMENT_MARKS):
                continue
            self._seen.add(folder)
            inside = above.inside(folder, names)
            stack += [(below, inside) for below in self._sort(listing, inside)]

    def close(self) -> None:
        """Notes the links whose real file was not found where it is; call it once, at the end."""
        for path, target in self._links.items():
            if target not in self.found:
                reason = f"a link to {target}, which is ignored or not of a kind that is read"
                self.skip(path, reason, failed=False)

    def _sort(self, listing: list[os.DirEntry[str]], ignore: Ignore) -> list[str]:
        below = []
        for entry in listing:
            if entry.is_symlink():
                if entry.name not in PASSED_OVER and not ignore.ignores(entry.path, folder=False):
                    self._link(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                passed_over = entry.name in PASSED_OVER or entry.name.endswith(".egg-info")
                if not passed_over and not ignore.ignores(entry.path, folder=True):
                    below.append(entry.path)
            elif self._wanted(entry.path) and not ignore.ignores(entry.path, folder=False):
                if entry.is_file(follow_symlinks=False):
                    if not _is_data(entry):
                        self.found.add(entry.path)
                else:
                    self.skip(entry.path, NOT_REGULAR)
        return below

    def _link(self, path: str) -> None:
        named_like_ours = self._wanted(path)
        target = os.path.realpath(path)
        try:
            mode = Path(path).stat().st_mode
        except OSError as error:
            # Emacs marks a file being edited with a dangling link, .#name.py.
            if named_like_ours and not Path(path).name.startswith(".#"):
                self.skip(path, f"a link that leads nowhere: {error.strerror}")
            return
        if stat.S_ISDIR(mode):
            if not self._given(as_prefix(target)):
                self.skip(
                    path, f"a link to a folder outside of the given paths: {target}", failed=False
                )
        elif named_like_ours and not stat.S_ISREG(mode):
            self.skip(path, NOT_REGULAR)
        elif named_like_ours and self._given(target):
            self._links[path] = target
        elif named_like_ours:
            self.skip(path, f"a link to a file outside of the given paths: {target}")

    def _wanted(self, path: str) -> bool:
        return kind_of(path) in self._kinds

    def _given(self, target: str) -> bool:
        return target in self._files or target.startswith(self._folders)


def _is_data(entry: os.DirEntry[str]) -> bool:
    """True for JSON that is too large to be a configuration."""
    return entry.name.endswith(".json") and entry.stat().st_size > _LARGEST_JSON
