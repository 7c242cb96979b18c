"""gitignore patterns of one source, asked about real paths."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pathspec import GitIgnoreSpec


class PatternError(ValueError):
    """A pattern that git would pass over without a word."""


class Patterns(msgspec.Struct, frozen=True):
    """The patterns of one file, or of one setting, relative to one folder."""

    base: str
    """The folder, with a separator at its end."""
    files: GitIgnoreSpec
    folders: GitIgnoreSpec
    """The same patterns, those for folders only without the slash at their end."""

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether they leave out a path; None when they say nothing about it.

        The answer holds only when they do not leave out the folder that the path is in.
        """
        if not path.startswith(self.base) or path == self.base:
            return None
        spec = self.folders if folder else self.files
        return spec.check_file(path[len(self.base) :]).include

    def admitting(self, folder: str) -> Patterns:
        """Those that leave out neither a folder below the base nor everything in it."""
        if not folder.startswith(self.base):
            return self
        from pathspec import GitIgnoreSpec

        paths = [path[len(self.base) :].replace(os.sep, "/") for path in (folder, anything(folder))]
        files, folders = (
            GitIgnoreSpec(
                pattern
                for pattern in spec.patterns
                if not (pattern.include and any(map(pattern.match_file, paths)))
            )
            for spec in (self.files, self.folders)
        )
        return Patterns(self.base, files, folders)


def compiled(folder: str, lines: Sequence[str]) -> Patterns:
    """The patterns of lines, relative to a folder; raises PatternError."""
    # Imported late: it takes longer than everything else that reading one named file needs.
    from pathspec import GitIgnoreSpec

    # A folder is asked about by its bare name, which to pathspec is the name of a file.
    bare = [line.rstrip().removesuffix("/") for line in lines]
    try:
        files, folders = GitIgnoreSpec.from_lines(lines), GitIgnoreSpec.from_lines(bare)
    except (ValueError, re.error) as error:
        raise PatternError(str(error)) from error
    return Patterns(as_prefix(folder), files, folders)


def compiled_leniently(folder: str, lines: Iterable[str]) -> Patterns:
    """The same without the lines that git passes over too."""
    understood = []
    for line in lines:
        with contextlib.suppress(PatternError):
            compiled(folder, [line])
            understood.append(line)
    return compiled(folder, understood)


def as_prefix(folder: str) -> str:
    """The folder with a separator at its end, as every path below it begins."""
    return folder if folder.endswith(os.sep) else folder + os.sep


def anything(folder: str) -> str:
    """A path in the folder that only patterns for every name in it match."""
    return as_prefix(folder) + "\0"
