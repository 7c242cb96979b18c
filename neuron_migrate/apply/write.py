"""Replacing the bytes of one file, wholly or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path

from neuron_migrate.files.source import SourceError, read

_TEMPORARY = ".neuron-migrate-{}.tmp"


class ApplyError(Exception):
    """A file that was not written; its bytes are what they were."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def replace(path: Path, expected: bytes, new: bytes) -> None:
    """Replaces the bytes of a file and keeps its mode and, where permitted, its owner.

    A link stays a link: its target is written.
    Raises ApplyError when the file no longer holds ``expected``, is read-only, or the disk refuses.
    """
    if new == expected:
        return
    target = Path(os.path.realpath(path))
    temporary = target.with_name(_TEMPORARY.format(os.urandom(8).hex()))
    try:
        status = target.stat()
        if is_locked(target):
            raise ApplyError(path, "cannot write: read-only")
        _write_new(temporary, new, status)
        if read(target) != expected:
            raise ApplyError(path, "cannot write: changed since it was read")
        temporary.replace(target)
        sync_folder(target.parent)
    except SourceError as error:
        raise ApplyError(path, error.reason) from error
    except OSError as error:
        raise ApplyError(path, f"cannot write: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def is_locked(target: Path) -> bool:
    """Whether a file is read-only, or in a folder that is; raises OSError when it is not there."""
    # The bits are asked too: root may write to a file that its owner has locked.
    bits = target.stat().st_mode & 0o222
    return not (bits and os.access(target, os.W_OK) and os.access(target.parent, os.W_OK))


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut, where the system can."""
    # Never a failure: by then the bytes are in place, and a folder need not be readable.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sweep(folder: Path) -> None:
    """Removes what a killed ``replace`` has left in a folder."""
    for temporary in folder.glob(_TEMPORARY.format("*")):
        with contextlib.suppress(OSError):
            temporary.unlink()


def _write_new(path: Path, data: bytes, status: os.stat_result) -> None:
    with path.open("xb") as file:
        file.write(data)
        # Owner before mode: changing the owner clears the set-user-ID bits.
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.chown(path, status.st_uid, status.st_gid)
        path.chmod(stat.S_IMODE(status.st_mode))
        file.flush()
        os.fsync(file.fileno())
