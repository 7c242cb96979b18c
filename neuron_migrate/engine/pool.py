"""Files in several processes: one that crashes or hangs costs its file, not the run."""

from __future__ import annotations

import gc
import multiprocessing
import sys
from concurrent.futures import TimeoutError as BudgetExceeded
from concurrent.futures import wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from pebble import ProcessExpired, ProcessPool

from neuron_migrate.engine.work import Worker, failed
from neuron_migrate.finding import FileResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pebble import ProcessFuture

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.settings import Settings

_SECONDS = 30.0
"""What a file may take beside what its size explains."""
_SECONDS_PER_BYTE = 1 / 20_000
_BYTES_BETWEEN_COLLECTIONS = 1_000_000
"""Of code: its trees are cyclic garbage, and looking for it after each file is costly."""
_POOLS_IN_VAIN = 3
"""Pools in a row that break without a single result before the rest is given up."""
_LOOK_EVERY = 0.5
"""Seconds between looks whether the pool is still there."""
_NO_PROCESS = "the processes that analyse die before they begin"
TOO_LONG = "the analysis took too long and was stopped"
_worker: Worker | None = None
_bytes = 0
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FileResult).decode


def seconds(size: int) -> float:
    """How long the analysis of a file of so many bytes may take before it is stopped."""
    return _SECONDS + size * _SECONDS_PER_BYTE


class _File(NamedTuple):
    file: Path
    path: str
    size: int


def results(
    files: Sequence[tuple[Path, str]],
    sizes: Sequence[int],
    catalog: Catalog,
    settings: Settings,
    *,
    fix: bool,
    jobs: int,
) -> Iterator[FileResult]:
    """The result of every file, as they come; the largest ones are begun first.

    Processes that die without a file to blame take their pool with them: the next one goes on.
    """
    order = sorted(range(len(files)), key=lambda index: -sizes[index])
    left = [_File(*files[index], sizes[index]) for index in order]
    in_vain = 0
    while left and in_vain < _POOLS_IN_VAIN:
        again: list[_File] = []
        for file, result in _once(left, catalog, settings, fix=fix, jobs=jobs):
            if result is None:
                again.append(file)
            else:
                yield result
        in_vain = in_vain + 1 if len(again) == len(left) else 0
        left = again
    for file in left:
        yield failed(catalog, file.path, _NO_PROCESS)


def _once(
    files: Sequence[_File], catalog: Catalog, settings: Settings, *, fix: bool, jobs: int
) -> Iterator[tuple[_File, FileResult | None]]:
    """The results of one pool; None for the files it did not come to before it broke."""
    with ProcessPool(
        max_workers=jobs,
        initializer=_start,
        initargs=(catalog, settings, fix),
        context=multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn"),
    ) as pool:
        try:
            running = [(file, _schedule(pool, file)) for file in files]
            for file, future in running:
                done = future is not None and _is_done(pool, future)
                yield file, _outcome(file.path, future, catalog) if future and done else None
        except BaseException:
            pool.stop()  # type: ignore[no-untyped-call]
            raise


def _schedule(pool: ProcessPool, file: _File) -> ProcessFuture[bytes] | None:
    try:
        return pool.schedule(_run, args=(str(file.file), file.path), timeout=seconds(file.size))
    except RuntimeError:
        if pool.active:
            raise
        return None


def _is_done(pool: ProcessPool, future: ProcessFuture[bytes]) -> bool:
    """Whether a file gets a result: a pool that breaks forgets what it has not handed out."""
    while not wait([future], _LOOK_EVERY).done:
        if not pool.active:
            return False
    return True


def _outcome(path: str, future: ProcessFuture[bytes], catalog: Catalog) -> FileResult | None:
    try:
        return _decode(future.result())
    except BrokenProcessPool:
        return None
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
