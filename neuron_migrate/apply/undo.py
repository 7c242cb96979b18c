"""Giving back what the last apply changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.apply.entries import Record, digest, latest, load
from neuron_migrate.apply.write import replace, sweep, sync_folder
from neuron_migrate.errors import UsageError
from neuron_migrate.files.source import SourceError, read

if TYPE_CHECKING:
    from pathlib import Path


class UndoResult(msgspec.Struct, frozen=True):
    """What was given back."""

    restored: tuple[Path, ...]
    """In the order they were applied; without those that held their original bytes already."""


def undo(root: Path) -> UndoResult:
    """Gives back, byte for byte, what the last apply below ``root`` changed, and forgets it.

    Called again it goes further back; one that was interrupted is finished. Raises UsageError, and
    changes nothing, when a file was edited since (all such files are named), when there is nothing
    to undo, or when the journal is damaged; ApplyError when a file cannot be written: the next call
    goes on from there.
    """
    root = root.resolve()
    entry = latest(root)
    if entry is None:
        raise UsageError(f"nothing to undo in {root}")
    files: dict[Path, list[Record]] = {}
    for path, record in load(entry, root):
        files.setdefault(path, []).append(record)
    current = {path: _unedited(path, records) for path, records in files.items()}
    if edited := tuple(path for path, data in current.items() if data is None):
        names = ", ".join(map(str, edited))
        raise UsageError(f"not undone: edited, moved or removed since it was applied: {names}")
    restored = []
    for path, data in current.items():
        original = files[path][0].original
        if data is not None and data != original:
            replace(path, data, original)
            restored.append(path)
    for folder in {path.parent for path in files}:
        sweep(folder)
    entry.unlink()
    sync_folder(entry.parent)
    return UndoResult(tuple(restored))


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
