"""Recording what an apply is about to change, so that undo can give it back."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.apply.entries import Commit, append, create, digest, recorded
from neuron_migrate.apply.write import ApplyError
from neuron_migrate.files.source import SourceError, read

if TYPE_CHECKING:
    from collections.abc import Iterator


class Journal:
    """What one apply changes below a folder; made by ``begin``."""

    def __init__(self, root: Path) -> None:
        self._root = root.resolve()
        self._file: Path | None = None
        self._records: list[tuple[Path, str]] = []
        self._written: set[int] = set()

    @classmethod
    @contextlib.contextmanager
    def begin(cls, root: Path) -> Iterator[Journal]:
        """A journal for one apply; nothing is on disk before the first record."""
        journal = cls(root)
        try:
            yield journal
        finally:
            journal._close()

    def record(self, path: Path, before: bytes, after: bytes) -> None:
        """Stores what ``path`` holds; to be called right before it is replaced.

        Raises ApplyError when that cannot be stored; then the file must not be replaced.
        """
        if self._records:
            self._note_written(len(self._records) - 1)
        real = Path(os.path.realpath(path))
        try:
            if self._file is None:
                self._file = create(self._root)
            append(self._file, recorded(self._root, real, before, after))
        except OSError as error:
            reason = f"cannot write: no way to record the undo: {error.strerror}"
            raise ApplyError(path, reason) from error
        self._records.append((real, digest(after)))

    def _close(self) -> None:
        if self._file is None:
            return
        for number in range(len(self._records)):
            self._note_written(number)
        # Without a commit every record counts, so a full disk costs nothing here.
        with contextlib.suppress(OSError):
            if self._written:
                append(self._file, Commit(tuple(sorted(self._written))))
            else:
                self._file.unlink()

    def _note_written(self, number: int) -> None:
        # Looked at soon and once more at the end: meanwhile a person may edit what was written.
        path, after = self._records[number]
        with contextlib.suppress(SourceError):
            if digest(read(path)) == after:
                self._written.add(number)
