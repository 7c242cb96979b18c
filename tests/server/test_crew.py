"""The processes that analyse."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.api import Migrator, Settings
from neuron_migrate.server import crew
from neuron_migrate.server.jobs import Job

if TYPE_CHECKING:
    import pytest


def test_what_takes_too_long_is_stopped_and_the_next_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = Settings(root=Path())
    catalog = Migrator.of(settings).catalog
    job = Job(settings, 0, "import torch\ntorch.ones(1).cuda()\n", "a.py")

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
