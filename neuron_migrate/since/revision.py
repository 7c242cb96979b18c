"""A revision of git: which lines have changed since HEAD and it had a commit in common."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.source import read
from neuron_migrate.since import git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from neuron_migrate.finding import FileResult, Finding


class Revision:
    """What has changed in the repositories that some paths are in."""

    def __init__(self, revision: str, paths: Iterable[Path]) -> None:
        real = [Path(os.path.realpath(path)) for path in paths]
        folders = sorted({path if path.is_dir() else path.parent for path in real})
        tops = {os.path.realpath(git.top_of(folder)) for folder in folders}
        # Of two that hold a file the inner one tracks it, and has the longer name.
        self._repositories = [
            _Repository(Path(top), revision) for top in sorted(tops, key=len, reverse=True)
        ]

    @property
    def commits(self) -> tuple[str, ...]:
        """The commit of each repository that its files are compared with."""
        return tuple(each.base for each in self._repositories)

    def touches(self, file: Path) -> bool:
        """Whether a file, by its real path, has changed at all."""
        repository = self._of(file)
        return repository is None or repository.touches(file)

    def new(self, result: FileResult, file: Path) -> FileResult:
        """The result of a changed file with the findings on changed lines only."""
        if result.failed or not result.findings:
            return result
        repository = self._of(file)
        if repository is None:
            return result
        is_new = repository.judge(file)
        kept = tuple(finding for finding in result.findings if is_new(finding))
        return msgspec.structs.replace(result, findings=kept)

    def _of(self, file: Path) -> _Repository | None:
        """Its repository; None for a file that a link outside of all leads to."""
        holding = (each for each in self._repositories if file.is_relative_to(each.top))
        return next(holding, None)


class _Repository:
    """What differs between a commit and the files on disk."""

    def __init__(self, top: Path, revision: str) -> None:
        self.top = top
        self.base = git.base_of(top, revision)

    def touches(self, file: Path) -> bool:
        """Whether a file has changed; one that git does not track has."""
        name = self._name(file)
        return name in self._changed or name not in self._tracked

    def judge(self, file: Path) -> Callable[[Finding], bool]:
        """What tells whether a finding in a file that has changed is on a changed line."""
        name = self._name(file)
        old = self._changed.get(name)
        if old is None:
            return lambda finding: True
        if file.suffix == ".ipynb":
            return _in_cells(git.content(self.top, self.base, old), read(file))
        return _on_lines(git.new_lines(self.top, self.base, tuple({old, name})))

    @cached_property
    def _changed(self) -> dict[str, str | None]:
        return git.changed(self.top, self.base)

    @cached_property
    def _tracked(self) -> frozenset[str]:
        return git.tracked(self.top)

    def _name(self, file: Path) -> str:
        return file.relative_to(self.top).as_posix()


def _on_lines(ranges: list[tuple[int, int]]) -> Callable[[Finding], bool]:
    return lambda finding: any(
        finding.line <= last and first <= finding.end_line for first, last in ranges
    )


def _in_cells(before: bytes, after: bytes) -> Callable[[Finding], bool]:
    from neuron_migrate.since.cells import new_lines

    places = new_lines(before, after)
    return lambda finding: any(
        (finding.cell or 0, line) in places for line in range(finding.line, finding.end_line + 1)
    )
