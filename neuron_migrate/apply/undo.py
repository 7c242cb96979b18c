"""Giving back what the last apply changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.apply.entries import Record, digest, latest, load
from neuron_migrate.apply.write import is_locked, replace, sweep, sync_folder
from neuron_migrate.errors import UsageError
from neuron_migrate.files.source import SourceError, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


class UndoResult(msgspec.Struct, frozen=True):
    """What was given back."""

    restored: tuple[Path, ...]
    """In the order they were applied; without those that held their original bytes already."""


def undo(root: Path) -> UndoResult:
    """Gives back, byte for byte, what the last apply below ``root`` changed, and forgets it.

    Called again it goes further back; one that was interrupted is finished. Raises UsageError, and
    changes nothing, when files were edited since or are read-only (all of them are named), when
    there is nothing to undo, or when the journal is damaged; ApplyError when the disk refuses a
    file: the next call goes on from there.
    """
    root = root.resolve()
    entry = latest(root)
    if entry is None:
        raise UsageError(f"nothing to undo in {root}")
    files: dict[Path, list[Record]] = {}
    for path, record in load(entry, root):
        files.setdefault(path, []).append(record)
    todo = _todo(files)
    for path, (data, original) in todo.items():
        replace(path, data, original)
    for folder in {path.parent for path in files}:
        sweep(folder)
    entry.unlink()
    sync_folder(entry.parent)
    return UndoResult(tuple(todo))


def _todo(files: Mapping[Path, list[Record]]) -> dict[Path, tuple[bytes, bytes]]:
    """What each file holds and what it held, where that differs; refuses as ``undo`` does."""
    current = {path: _unedited(path, records) for path, records in files.items()}
    edited = [path for path, data in current.items() if data is None]
    _refuse("edited, moved or removed since it was applied", edited)
    todo = {
        path: (data, files[path][0].original)
        for path, data in current.items()
        if data is not None and data != files[path][0].original
    }
    _refuse("read-only", filter(is_locked, todo))
    return todo


def _refuse(reason: str, paths: Iterable[Path]) -> None:
    if names := ", ".join(map(str, paths)):
        raise UsageError(f"not undone: {reason}: {names}")


def _unedited(path: Path, records: list[Record]) -> bytes | None:
    """What the file holds, None when that is neither what the apply found nor what it wrote."""
    if os.path.realpath(path) != str(path):
        return None
    try:
        data = read(path)
    except SourceError:
        return None
    known = {state for record in records for state in (record.before, record.after)}
    return data if digest(data) in known else None
