"""What is awaited of a session while texts change and when the server ends."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pygls")

from lsprotocol import types
from pygls.workspace import Workspace

from neuron_migrate.api import Migrator, Settings
from neuron_migrate.engine.work import failed
from neuron_migrate.finding import FileResult
from neuron_migrate.server.session import Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    Scenario = Callable[[Session, str], Awaitable[None]]


@pytest.fixture
def run(tmp_path: Path) -> Callable[[Scenario], None]:
    """Runs a scenario with one open text, of which no check ever comes to an end."""

    async def never(*arguments: Any) -> Any:
        await asyncio.Event().wait()

    async def talk(scenario: Scenario) -> None:
        workspace = Workspace(None, workspace_folders=[])
        uri = (tmp_path / "a.py").as_uri()
        workspace.put_text_document(types.TextDocumentItem(uri, "python", 1, "torch.cuda\n"))
        session = Session(SimpleNamespace(workspace=workspace))  # type: ignore[arg-type]
        session.crew.check = never  # type: ignore[method-assign]
        try:
            await asyncio.wait_for(scenario(session, uri), 60)
        finally:
            session.close()

    return lambda scenario: asyncio.run(talk(scenario))


async def _begun(session: Session, uri: str) -> asyncio.Task[Any]:
    asked = asyncio.create_task(session.checked(uri))
    while uri not in session._tasks:
        await asyncio.sleep(0)
    return asked


def test_no_check_begins_when_the_server_ends(run: Callable[[Scenario], None]) -> None:
    async def scenario(session: Session, uri: str) -> None:
        asked = await _begun(session, uri)
        for task in (asked, session._tasks[uri][2]):
            task.cancel()
        done, _ = await asyncio.wait([asked], timeout=5)
        assert asked in done
        assert asked.cancelled()

    run(scenario)


def test_who_waits_for_a_text_that_is_closed_learns_it(run: Callable[[Scenario], None]) -> None:
    async def scenario(session: Session, uri: str) -> None:
        asked = await _begun(session, uri)
        session._server.workspace.remove_text_document(uri)
        session.forget(uri)
        assert await asked is None

    run(scenario)


def test_only_a_check_that_failed_is_made_again(tmp_path: Path) -> None:
    text = "import torch\nx = torch.ones(1).cuda()\n"
    broken = failed(Migrator.of(Settings(root=tmp_path)).catalog, "a.py", "its process died")
    given = [broken, FileResult(path="a.py")]

    async def check(*arguments: Any) -> FileResult:
        return given.pop(0)

    async def scenario() -> None:
        workspace = Workspace(None, workspace_folders=[])
        uri = (tmp_path / "a.py").as_uri()
        workspace.put_text_document(types.TextDocumentItem(uri, "python", 1, text))
        session = Session(SimpleNamespace(workspace=workspace))  # type: ignore[arg-type]
        session.crew.check = check  # type: ignore[method-assign]
        try:
            first = await session.checked(uri)
            assert await session.checked(uri) is first
            session.retry(uri)
            second = await session.checked(uri)
            session.retry(uri)
            assert await session.checked(uri) is second
        finally:
            session.close()
        assert first is not None
        assert second is not None
        assert [len(first.spots), len(second.spots)] == [1, 0]
        assert first.result_id != second.result_id

    asyncio.run(asyncio.wait_for(scenario(), 60))
