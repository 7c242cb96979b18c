"""What a fix run would write: the bytes of each file before and after."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files import source
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.report import diff

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.api.run import Run
    from neuron_migrate.finding import FileResult

Stamp = tuple[int, int, int]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One file that a fix rewrites."""

    path: Path
    result: FileResult
    before: bytes
    after: bytes

    def diff(self) -> bytes:
        """As ``git apply`` reads it."""
        return diff.unified(self.result.path, self.before, self.after)

    def shown(self) -> bytes:
        """For a person: of a notebook its code, without the JSON around it."""
        path = self.result.path
        return (kind_of(path) is Kind.NOTEBOOK and self._by_cell()) or self.diff()

    def _by_cell(self) -> bytes:
        from neuron_migrate.engine.notebooks.cells import sources

        before, after = (sources(source.decode(each).text) for each in (self.before, self.after))
        return diff.by_cell(self.result.path, before, after)


class Plan(msgspec.Struct, frozen=True):
    """The changes of a run, and why others of its results cannot become one."""

    changes: list[Change]
    problems: list[str]

    def diff(self) -> bytes:
        """As ``git apply`` reads it."""
        return b"".join(change.diff() for change in self.changes)

    def shown(self) -> bytes:
        """For a person."""
        return b"".join(change.shown() for change in self.changes)


def stamped(files: Iterable[Path]) -> dict[str, Stamp]:
    """What tells, later, whether one of the files was written in the meantime."""
    return {str(path): mark for path in files if (mark := _stamp(path))}


def plan(run: Run) -> Plan:
    """Read the files that change and encode their new text."""
    result = Plan([], [])
    for each in run.results:
        if each.fixed is not None:
            try:
                result.changes.append(_change(run, each))
            except source.SourceError as error:
                result.problems.append(f"{each.path}: {error}")
    return result


def of_text(before: bytes, result: FileResult) -> tuple[Change, list[str]]:
    """The change of a text that is no file; without a fix, or a way to write it, it stays."""
    after, problems = before, []
    if result.fixed is not None:
        try:
            after = encoded(before, result.fixed)
        except source.SourceError as error:
            problems = [f"{result.path}: {error}"]
    return Change(path=Path(result.path), result=result, before=before, after=after), problems


def encoded(before: bytes, text: str) -> bytes:
    """The new text in the encoding, and with the BOM, of the file as it was."""
    return source.decode(before).encode(text)


def _change(run: Run, result: FileResult) -> Change:
    path = Path(os.path.realpath(run.root / result.path))
    before = source.read(path)
    if _stamp(path) != run.stamps.get(str(path)):
        raise source.SourceError("it changed while it was being fixed; run again")
    after = encoded(before, result.fixed or "")
    return Change(path=path, result=result, before=before, after=after)


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
