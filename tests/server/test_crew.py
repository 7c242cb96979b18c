"""The processes that analyse."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.api import Migrator, Settings
from neuron_migrate.server import crew
from neuron_migrate.server.jobs import Job

if TYPE_CHECKING:
    import pytest

CUDA = "import torch\ntorch.ones(1).cuda()\n"


def test_what_takes_too_long_is_stopped_and_the_next_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = Settings(root=Path())
    catalog = Migrator.of(settings).catalog
    job = Job(settings, 0, CUDA, "a.py")

    async def scenario() -> list[str]:
        workers = crew.Crew()
        try:
            monkeypatch.setattr(crew, "seconds", lambda size: 0.001)
            late = await workers.check(job, catalog)
            proposals = await workers.propose(job, late.findings)
            monkeypatch.setattr(crew, "seconds", lambda size: 100.0)
            done = await workers.check(job, catalog)
        finally:
            workers.close()
        assert [each.silencing for each in proposals] == [None]
        return [each.message for each in (*late.findings, *done.findings)]

    late, done = asyncio.run(asyncio.wait_for(scenario(), 120))
    assert late == "Not analysed: the analysis took too long and was stopped."
    assert done.startswith("`.cuda()`")


def test_processes_that_are_killed_while_they_wait_are_replaced() -> None:
    settings = Settings(root=Path())
    catalog = Migrator.of(settings).catalog

    async def codes(workers: crew.Crew, text: str) -> list[str]:
        done = await workers.check(Job(settings, 0, text, "a.py"), catalog)
        return [each.code for each in done.findings]

    async def scenario() -> None:
        workers = crew.Crew()
        try:
            assert await codes(workers, "import torch\n") == []
            for process in multiprocessing.active_children():
                process.kill()
            while workers._pool.active:
                time.sleep(0.01)
            both = await asyncio.gather(*(codes(workers, CUDA) for _ in range(2)))
            assert both == [["NM103"], ["NM103"]]
        finally:
            workers.close()

    asyncio.run(asyncio.wait_for(scenario(), 120))
