"""The processes that analyse, so that the server answers meanwhile and outlives what they meet."""

from __future__ import annotations

import asyncio
import multiprocessing
from concurrent.futures import TimeoutError as BudgetExceeded
from typing import TYPE_CHECKING, TypeVar

from pebble import ProcessExpired, ProcessPool

from neuron_migrate.engine.pool import TOO_LONG, crashed, seconds
from neuron_migrate.engine.work import failed
from neuron_migrate.server import jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.server.jobs import Job, Proposal

T = TypeVar("T")
_PROCESSES = 2
"""One text that takes long does not keep the next one waiting."""


class Crew:
    """A few processes; a job that is no longer awaited is stopped."""

    def __init__(self) -> None:
        # A fork would copy the locks of the threads that read and write.
        self._pool = ProcessPool(
            max_workers=_PROCESSES, context=multiprocessing.get_context("spawn")
        )

    def begin(self) -> None:
        """Start the processes before there is work."""
        self._pool.schedule(jobs.begin)

    def close(self) -> None:
        """Stop whatever runs."""
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()

    async def check(self, job: Job, catalog: Catalog) -> FileResult:
        """What is found in a text; one that takes too long gives an NM000 finding."""
        return await self._result(job, catalog, jobs.check, job)

    async def fix(self, job: Job, catalog: Catalog, code: str | None) -> FileResult:
        """The fixed text, with the fixes of one rule or of all."""
        return await self._result(job, catalog, jobs.fix, job, code)

    async def propose(self, job: Job, findings: Sequence[Finding]) -> list[Proposal]:
        """What can be done about some findings; nothing where that takes too long."""
        try:
            return await self._run(jobs.propose, job, findings)
        except (BudgetExceeded, ProcessExpired):
            return [jobs.Proposal(is_fixable=False, silencing=None) for _ in findings]

    async def _result(
        self, job: Job, catalog: Catalog, work: Callable[..., FileResult], *arguments: object
    ) -> FileResult:
        try:
            return await self._run(work, *arguments)
        except BudgetExceeded:
            return failed(catalog, job.path, TOO_LONG)
        except ProcessExpired as error:
            return failed(catalog, job.path, crashed(error))

    async def _run(self, work: Callable[..., T], job: object, *others: object) -> T:
        size = len(getattr(job, "text", ""))
        future = self._pool.schedule(work, args=(job, *others), timeout=seconds(size))
        return await asyncio.wrap_future(future)
