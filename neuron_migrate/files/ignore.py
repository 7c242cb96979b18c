"""What .gitignore files and the user's own patterns leave out."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.errors import UsageError
from neuron_migrate.files.patterns import (
    PatternError,
    Patterns,
    anything,
    as_prefix,
    compiled,
    compiled_leniently,
)
from neuron_migrate.files.source import SourceError, read

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

_MARKS = (".git", ".gitignore")


class Ignore(msgspec.Struct, frozen=True):
    """The patterns that apply to the entries of one folder; later sources win over earlier ones."""

    git: tuple[Patterns, ...] = ()
    own: tuple[Patterns, ...] = ()

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether a real absolute path is left out, given that the folder it is in is not."""
        return _verdict(self.git, path, folder) or _verdict(self.own, path, folder)

    def inside(self, folder: str, names: Container[str]) -> Ignore:
        """The patterns for the entries of a folder, whose names are given."""
        git = () if ".git" in names else self.git
        if ".git" in names:
            git += _level(folder, Path(folder, ".git", "info", "exclude"))
        if ".gitignore" in names:
            git += _level(folder, Path(folder, ".gitignore"))
        return Ignore(git, self.own) if git is not self.git else self

    def admitting(self, folder: str) -> Ignore:
        """The same without the patterns that leave out the folder itself or all that is in it."""
        if self.ignores(folder, folder=True) or self.ignores(anything(folder), folder=False):
            git, own = (tuple(e.admitting(folder) for e in group) for group in (self.git, self.own))
            return Ignore(git, own)
        return self


def ignore_above(folder: str, root: str, exclude: Sequence[str]) -> Ignore:
    """What applies to a folder itself: its parents' patterns, from the git root (or ``root``) down.

    ``folder`` and ``root`` are real absolute paths; the patterns of ``exclude`` are relative to
    ``root``. Raises UsageError for a pattern that git would not understand.
    """
    ignore = Ignore(own=_own(root, exclude))
    for parent in _governing(folder, root):
        ignore = ignore.inside(parent, [name for name in _MARKS if _holds(parent, name)])
    return ignore


def _own(root: str, exclude: Sequence[str]) -> tuple[Patterns, ...]:
    if not exclude:
        return ()
    try:
        return (compiled(root, exclude),)
    except PatternError as error:
        raise UsageError(f"exclude: {error}") from error


def _governing(folder: str, root: str) -> list[str]:
    if _holds(folder, ".git"):
        return []
    above: list[str] = []
    for parent in map(str, Path(folder).parents):
        above.insert(0, parent)
        if _holds(parent, ".git"):
            return above
    return above[above.index(root) :] if root in above else []


def _holds(folder: str, name: str) -> bool:
    return os.path.lexists(as_prefix(folder) + name)


def _verdict(levels: tuple[Patterns, ...], path: str, folder: bool) -> bool:
    for level in reversed(levels):
        if (verdict := level.verdict(path, folder=folder)) is not None:
            return verdict
    return False


def _level(folder: str, file: Path) -> tuple[Patterns, ...]:
    try:
        lines = read(file).removeprefix(BOM_UTF8).splitlines()
    except SourceError:
        return ()
    return (compiled_leniently(folder, map(os.fsdecode, lines)),)
