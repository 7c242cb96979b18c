"""The journal on disk: one file of JSON lines per apply.

A line counts once its newline is there, and it is there before the file it names is touched, so
the journal is good at whatever moment the process dies.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote_to_bytes

import msgspec

from neuron_migrate.apply.write import sync_folder
from neuron_migrate.errors import UsageError
from neuron_migrate.files.source import SourceError, read

if TYPE_CHECKING:
    from pathlib import Path

STATE_FOLDER = ".neuron-migrate"


_WAY_ON = "delete it to give up what it holds"


class Begin(msgspec.Struct, frozen=True, tag_field="kind", tag="begin"):
    """The first line: the inode of the journal file, which a copied or cloned one does not have."""

    inode: int


class Record(msgspec.Struct, frozen=True, tag_field="kind", tag="record"):
    """One file that is about to change; the hashes are hexadecimal sha256."""

    path: str
    """Relative to the root, absolute when outside; percent-encoded, as a name may be any bytes."""
    before: str
    after: str
    original: bytes


class Commit(msgspec.Struct, frozen=True, tag_field="kind", tag="commit"):
    """The last line: which records, counted from 0, were followed by a write."""

    written: tuple[int, ...]


Line = Begin | Record | Commit


def digest(data: bytes) -> str:
    """The hash that records hold."""
    return hashlib.sha256(data).hexdigest()


def recorded(root: Path, real: Path, before: bytes, after: bytes) -> Record:
    """The record of a change to a file, given by its real path."""
    name = real.relative_to(root) if real.is_relative_to(root) else real
    path = quote_from_bytes(os.fsencode(name.as_posix()))
    return Record(path, digest(before), digest(after), before)


def latest(root: Path) -> Path | None:
    """The journal file of the last apply that was not undone."""
    entries = (file for file in _folder(root).glob("*.jsonl") if file.stem.isdecimal())
    return max(entries, default=None, key=_number)


def load(file: Path, root: Path) -> list[tuple[Path, Record]]:
    """The records of writes, with the files they name, oldest first.

    Raises UsageError when the file is damaged or was not written by an apply in this place.
    """
    try:
        # What follows the last newline was being written when the process died.
        complete = read(file).split(b"\n")[:-1]
        lines = [msgspec.json.decode(line, type=Line) for line in complete]
    except (SourceError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: damaged: {error}; {_WAY_ON}") from error
    if not lines:
        return []
    if lines[0] != Begin(file.stat().st_ino):
        raise UsageError(f"{file}: copied from elsewhere, so it is not trusted; {_WAY_ON}")
    records = [line for line in lines if isinstance(line, Record)]
    if isinstance(lines[-1], Commit):
        written = frozenset(lines[-1].written)
        records = [record for number, record in enumerate(records) if number in written]
    if any(digest(record.original) != record.before for record in records):
        raise UsageError(f"{file}: damaged: an original does not match its hash; {_WAY_ON}")
    return [(root / os.fsdecode(unquote_to_bytes(line.path)), line) for line in records]


def create(root: Path) -> Path:
    """A new journal file after the latest one, holding its first line.

    Raises OSError when the folder cannot be written or is reached through a link.
    """
    folder = _folder(root)
    if folder.resolve() != folder:
        raise NotADirectoryError(0, f"{STATE_FOLDER} is a link")
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError), (folder.parent / ".gitignore").open("x") as file:
        file.write("*\n")
    while True:
        last = latest(root)
        entry = folder / f"{_number(last) + 1 if last else 1:06}.jsonl"
        try:
            # Readable by its owner alone: the files it holds may be.
            descriptor = os.open(entry, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except FileExistsError:
            continue
        os.close(descriptor)
        try:
            append(entry, Begin(entry.stat().st_ino))
            for made in (folder, folder.parent, root):
                sync_folder(made)
        except BaseException:
            entry.unlink()
            raise
        return entry


def append(file: Path, line: Line) -> None:
    """Adds a line that is on the disk when this returns; raises OSError, and then adds nothing."""
    with file.open("ab", buffering=0) as journal:
        end = journal.tell()
        data = memoryview(msgspec.json.encode(line) + b"\n")
        try:
            while data:
                data = data[journal.write(data) :]
            os.fsync(journal.fileno())
        except BaseException:
            journal.truncate(end)
            raise


def _folder(root: Path) -> Path:
    return root / STATE_FOLDER / "journal"


def _number(file: Path) -> int:
    return int(file.stem)
