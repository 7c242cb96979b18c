"""Results of earlier runs, by the content of the file and everything else that decides them."""

from __future__ import annotations

import sqlite3
import time
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs

from neuron_migrate import __version__
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.finding import FileResult
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neuron_migrate.settings import Settings

_DAY = 86_400
_KEEP_DAYS = 30
_BATCH = 500
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FileResult).decode


class Cache:
    """A database in the user's cache folder; one that cannot be used is silently left alone."""

    def __init__(
        self, fingerprint: bytes, folder: Path | None = None, selection: Selection | None = None
    ) -> None:
        self._fingerprint = fingerprint
        self._selection = selection or Selection()
        self._today = int(time.time()) // _DAY
        self._database: sqlite3.Connection | None = None
        folder = folder or Path(platformdirs.user_cache_dir("neuron-migrate"))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(folder / f"{__version__}.sqlite", timeout=1)
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS results (key BLOB PRIMARY KEY, day INT, value BLOB)"
                " WITHOUT ROWID"
            )
        except (OSError, sqlite3.Error):
            self._database = None

    def key(self, data: bytes, path: str) -> bytes:
        """The key of a file: its name matters as far as its kind or a rule rests on it."""
        name = path.rpartition("/")[2]
        kind = kind_of(path)
        python = name if name == "__init__.py" else name.rpartition(".")[2]
        role = python if kind in (None, Kind.PYTHON) else name if kind is Kind.YAML else kind.value
        digest = blake2b(data, digest_size=20, key=self._fingerprint, salt=role.encode()[:16])
        digest.update("\0".join(("", *self._selection.ignored_in(path))).encode())
        return digest.digest()

    def load(self, keys: Mapping[str, bytes]) -> dict[str, FileResult]:
        """The known results by path."""
        known: dict[bytes, bytes] = {}
        wanted = list(keys.values())
        try:
            for start in range(0, len(wanted) if self._database else 0, _BATCH):
                batch = wanted[start : start + _BATCH]
                marks = ",".join("?" * len(batch))
                query = f"SELECT key, value FROM results WHERE key IN ({marks})"
                assert self._database is not None
                known.update(self._database.execute(query, batch))
            return {
                path: _placed(_decode(known[key]), path)
                for path, key in keys.items()
                if key in known
            }
        except (sqlite3.Error, msgspec.MsgspecError):
            return {}

    def store(self, results: Iterable[tuple[bytes, FileResult]]) -> None:
        """Keep results; failures are not kept, as their cause may pass."""
        if self._database is None:
            return
        # A name that is no text cannot be encoded, and need not be: it is given anew.
        rows = [
            (key, self._today, _encode(_placed(result, "")))
            for key, result in results
            if not result.failed
        ]
        try:
            with self._database:
                self._database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", rows)
                self._database.execute(
                    "DELETE FROM results WHERE day < ?", (self._today - _KEEP_DAYS,)
                )
        except sqlite3.Error:
            return

    def close(self) -> None:
        """Close the database."""
        if self._database is not None:
            self._database.close()


def fingerprint(catalog: bytes, settings: Settings, *, fix: bool, python: str) -> bytes:
    """What, beside a file's content, decides about its findings."""
    choices = (
        __version__,
        _code(),
        catalog,
        settings.target,
        settings.select,
        settings.ignore,
        settings.extend_select,
        settings.unsafe and fix,
        fix,
        python,
    )
    return blake2b(_encode(choices), digest_size=32).digest()


def _code() -> list[tuple[str, int, int]]:
    """The state of the engine's own files: a changed checkout must not answer from the past."""
    folder = Path(__file__).parent
    stats = ((path, path.stat()) for path in sorted(folder.rglob("*.py")))
    return [(path.name, stat.st_size, stat.st_mtime_ns) for path, stat in stats]


def _placed(result: FileResult, path: str) -> FileResult:
    """The result of equal content, at another path."""
    if result.path == path:
        return result
    replace = msgspec.structs.replace
    return replace(
        result,
        path=path,
        findings=tuple(replace(finding, path=path) for finding in result.findings),
        left=tuple(replace(finding, path=path) for finding in result.left),
    )
