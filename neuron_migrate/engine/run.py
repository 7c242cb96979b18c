"""Many files: what is known or clean is answered at once, the rest goes through the engine."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from neuron_migrate.engine.cache import Cache, fingerprint
from neuron_migrate.engine.triggers import Triggers
from neuron_migrate.files.kinds import HEAD, Kind, kind_of
from neuron_migrate.files.relative import relative
from neuron_migrate.files.source import SourceError, read
from neuron_migrate.finding import FileResult
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.settings import Settings

_SMALL = 400_000
"""Bytes of code that one process reads faster than others start."""
_LARGE = 100_000
"""Bytes of one file from which on it may take long enough to need a time limit."""


@dataclass(slots=True)
class _Sorted:
    """Files by what has to be done with them."""

    done: list[FileResult] = field(default_factory=list)
    todo: list[tuple[Path, str]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    keys: dict[str, bytes] = field(default_factory=dict)


def scan(
    files: Sequence[Path],
    catalog: Catalog,
    settings: Settings,
    *,
    fix: bool,
    on_result: Callable[[FileResult], None] | None = None,
) -> list[FileResult]:
    """The result of every file, sorted by path; ``on_result`` sees each as it comes."""
    cache = _cache(catalog, settings, fix=fix) if settings.cache else None
    work = _sort(files, catalog, settings, cache)
    results: list[FileResult] = []
    for result in work.done:
        _add(results, result, on_result)
    fresh: list[FileResult] = []
    try:
        for result in _analyse(work, catalog, settings, fix=fix):
            fresh.append(result)
            _add(results, result, on_result)
    finally:
        if cache is not None:
            cache.store((work.keys[result.path], result) for result in fresh)
            cache.close()
    return sorted(results, key=lambda result: result.path)


def scan_text(
    content: bytes | str, path: str, catalog: Catalog, settings: Settings, *, fix: bool
) -> FileResult:
    """The result of one text that is not, or not yet, a file."""
    data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    if not _Words(catalog).occur(data, path):
        return _clean(data, path, catalog)
    from neuron_migrate.engine.work import Worker

    return Worker(catalog, settings, fix=fix).result(content, path)


def _sort(
    files: Sequence[Path], catalog: Catalog, settings: Settings, cache: Cache | None
) -> _Sorted:
    work = _Sorted()
    words = _Words(catalog)
    contents: dict[str, tuple[Path, bytes]] = {}
    for file in files:
        path = relative(file, settings.root)
        try:
            contents[path] = (file, read(file))
        except SourceError as error:
            work.done.append(_failed(catalog, path, error))
    if cache is not None:
        work.keys = {path: cache.key(data, path) for path, (_, data) in contents.items()}
    known = cache.load(work.keys) if cache is not None else {}
    for path, (file, data) in contents.items():
        if path in known:
            work.done.append(known[path])
        elif words.occur(data, path):
            work.todo.append((file, path))
            work.sizes.append(len(data))
        else:
            work.done.append(_clean(data, path, catalog))
    return work


def _analyse(
    work: _Sorted, catalog: Catalog, settings: Settings, *, fix: bool
) -> Iterator[FileResult]:
    if not work.todo:
        return
    jobs = min(settings.jobs or os.cpu_count() or 1, len(work.todo))
    if (jobs > 1 and sum(work.sizes) > _SMALL) or max(work.sizes) > _LARGE:
        from neuron_migrate.engine import pool

        yield from pool.results(work.todo, work.sizes, catalog, settings, fix=fix, jobs=jobs)
        return
    from neuron_migrate.engine.work import Worker

    worker = Worker(catalog, settings, fix=fix)
    for file, path in work.todo:
        try:
            data = read(file)
        except SourceError as error:
            yield _failed(catalog, path, error)
        else:
            yield worker.result(data, path)


class _Words:
    """The words without which no rule can fire, by the kind of the file."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._triggers: dict[Kind, Triggers] = {}

    def occur(self, data: bytes, path: str) -> bool:
        """Whether a rule can fire in a file."""
        kind = kind_of(path, data[:HEAD].decode("utf-8", "replace")) or Kind.PYTHON
        if kind not in self._triggers:
            self._triggers[kind] = Triggers(self._catalog.gates_of(kind))
        if kind is Kind.NOTEBOOK:  # an escaped line end sticks to the word after it
            data = data.replace(b"\\n", b"\n").replace(b"\\t", b"\t")
        return self._triggers[kind].occur(data)


def _clean(data: bytes, path: str, catalog: Catalog) -> FileResult:
    """The result of a file without trigger words: nothing, unless it is no text."""
    if b"\0" in data[:1024]:
        return _failed(catalog, path, SourceError("binary file: it holds NUL bytes"))
    return FileResult(path=path)


def _failed(catalog: Catalog, path: str, error: SourceError) -> FileResult:
    from neuron_migrate.engine.work import failed

    return failed(catalog, path, error.reason, error.line)


def _cache(catalog: Catalog, settings: Settings, *, fix: bool) -> Cache:
    python = ".".join(map(str, sys.version_info[:2]))
    known = fingerprint(catalog.fingerprint, settings, fix=fix, python=python)
    return Cache(known, selection=Selection.of(settings))


def _add(
    results: list[FileResult], result: FileResult, on_result: Callable[[FileResult], None] | None
) -> None:
    results.append(result)
    if on_result is not None:
        on_result(result)
