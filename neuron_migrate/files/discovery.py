"""Which files a run reads: what was named, and what the named folders hold."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from pathspec import GitIgnoreSpec

from neuron_migrate.errors import UsageError
from neuron_migrate.files.ignore import ignore_above
from neuron_migrate.files.kinds import HEAD, Kind, kind_of
from neuron_migrate.files.source import SourceError, read
from neuron_migrate.files.walk import NOT_REGULAR, Skipped, Walk

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALWAYS = frozenset(Kind) - {Kind.MARKUP}


class Discovery(msgspec.Struct, frozen=True):
    """What a run reads and what it met and does not read, each sorted by path."""

    files: tuple[Path, ...]
    """Real absolute paths, each once."""
    skipped: tuple[Skipped, ...]


def discover(
    paths: Sequence[Path],
    *,
    root: Path,
    exclude: Sequence[str],
    force_exclude: bool = False,
    docs: bool = False,
) -> Discovery:
    """The files of known kinds that the paths name or hold; ``docs`` adds Markdown and reST.

    A file that is named is read whatever is ignored, unless ``force_exclude`` holds it to
    ``exclude`` (and passes over what is of another kind, as a hook is given any file); a folder
    that is named is walked even when it is ignored itself. ``exclude`` holds gitignore-style
    patterns relative to ``root``. Raises UsageError for a path that does not exist.
    """
    for path in paths:
        _check_exists(path)
    named = {path: os.path.realpath(path) for path in paths}
    walk = Walk(list(named.values()), _ALWAYS | {Kind.MARKUP} if docs else _ALWAYS)
    for path, real in named.items():
        try:
            mode = path.stat().st_mode
        except OSError as error:
            walk.skip(str(path.absolute()), f"cannot read: {error.strerror}")
            continue
        if stat.S_ISDIR(mode):
            ignore = ignore_above(real, os.path.realpath(root), exclude)
            walk.folder(real, ignore.admitting(real))
        elif force_exclude and is_excluded(real, os.path.realpath(root), exclude):
            continue
        elif not stat.S_ISREG(mode):
            walk.skip(real, NOT_REGULAR)
        else:
            _take_file(walk, path, real, passed_over=force_exclude)
    walk.close()
    files = tuple(map(Path, sorted(walk.found)))
    return Discovery(files, tuple(walk.skipped[path] for path in sorted(walk.skipped)))


def is_excluded(real: str, root: str, exclude: Sequence[str]) -> bool:
    """Whether the patterns of a configuration exclude a file; the paths are real ones."""
    relative = os.path.relpath(real, root)
    return bool(exclude) and GitIgnoreSpec.from_lines(exclude).match_file(relative)


def _check_exists(path: Path) -> None:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"{path}: no such file or folder") from error
    except OSError:
        pass  # it may be there: why it cannot be read is noted with the others


def _take_file(walk: Walk, path: Path, real: str, *, passed_over: bool) -> None:
    """Note a file that was named; ``passed_over`` where one of another kind is no mistake."""
    name = path.absolute().as_posix()
    try:
        head = b"" if kind_of(name) else read(Path(real), HEAD)
        if kind_of(name, head.decode("utf-8", "replace")) is not None:
            walk.found.add(real)
        elif not passed_over:
            walk.skip(real, "not a kind of file neuron-migrate reads")
    except SourceError as error:
        walk.skip(real, error.reason)
