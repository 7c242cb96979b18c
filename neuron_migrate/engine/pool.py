"""Files in several processes: one that crashes or hangs costs its file, not the run."""

from __future__ import annotations

import gc
import multiprocessing
import sys
from concurrent.futures import TimeoutError as BudgetExceeded
from typing import TYPE_CHECKING

import msgspec
from pebble import ProcessExpired, ProcessPool

from neuron_migrate.engine.work import Worker, failed
from neuron_migrate.finding import FileResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pebble import ProcessFuture

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.settings import Settings

_SECONDS = 30.0
"""What a file may take beside what its size explains."""
_SECONDS_PER_BYTE = 1 / 20_000
_BYTES_BETWEEN_COLLECTIONS = 1_000_000
"""Of code: its trees are cyclic garbage, and looking for it after each file is costly."""
TOO_LONG = "the analysis took too long and was stopped"
_worker: Worker | None = None
_bytes = 0
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FileResult).decode


def seconds(size: int) -> float:
    """How long the analysis of a file of so many bytes may take before it is stopped."""
    return _SECONDS + size * _SECONDS_PER_BYTE


def results(
    files: Sequence[tuple[Path, str]],
    sizes: Sequence[int],
    catalog: Catalog,
    settings: Settings,
    *,
    fix: bool,
    jobs: int,
) -> Iterator[FileResult]:
    """The result of every file, as they come; the largest ones are begun first."""
    order = sorted(range(len(files)), key=lambda index: -sizes[index])
    with ProcessPool(
        max_workers=jobs,
        initializer=_start,
        initargs=(catalog, settings, fix),
        context=multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn"),
    ) as pool:
        try:
            running = [
                (files[index][1], _schedule(pool, *files[index], sizes[index])) for index in order
            ]
            for path, future in running:
                yield _outcome(path, future, catalog)
        except BaseException:
            pool.stop()  # type: ignore[no-untyped-call]
            raise


def _schedule(pool: ProcessPool, file: Path, path: str, size: int) -> ProcessFuture[bytes]:
    return pool.schedule(_run, args=(str(file), path), timeout=seconds(size))


def _outcome(path: str, future: ProcessFuture[bytes], catalog: Catalog) -> FileResult:
    try:
        return _decode(future.result())
    except BudgetExceeded:
        return failed(catalog, path, TOO_LONG)
    except ProcessExpired as error:
        return failed(catalog, path, crashed(error))


def crashed(error: ProcessExpired) -> str:
    """What became of a file whose process died."""
    return f"the analysis crashed its process (exit {error.exitcode})"


def _start(catalog: Catalog, settings: Settings, fix: bool) -> None:
    global _worker
    _worker = Worker(catalog, settings, fix=fix)
    # What is there now lives as long as the process: the collector need not look at it again.
    gc.collect()
    gc.freeze()
    gc.disable()


def _run(file: str, path: str) -> bytes:
    from pathlib import Path

    from neuron_migrate.files.source import SourceError, read

    global _bytes
    assert _worker is not None
    try:
        data = read(Path(file))
    except SourceError as error:
        return _encode(failed(_worker.catalog, path, error.reason, error.line))
    result = _encode(_worker.result(data, path))
    _bytes += len(data)
    if _bytes > _BYTES_BETWEEN_COLLECTIONS:
        _bytes = 0
        gc.collect()
    return result
