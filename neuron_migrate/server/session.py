"""The state of one conversation with an editor: what is open, and what is found in it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from lsprotocol import types
from pygls.uris import to_fs_path

from neuron_migrate.finding import FileResult
from neuron_migrate.report.listing import listed
from neuron_migrate.server.crew import Crew
from neuron_migrate.server.jobs import Job, Proposal
from neuron_migrate.server.projects import Project, Projects
from neuron_migrate.server.snapshots import Snapshot, snapshot
from neuron_migrate.server.spots import Spot, Spots

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer


class Checked(msgspec.Struct):
    """What is found in a text, and what was asked about it since."""

    snapshot: Snapshot
    project: Project
    job: Job
    spots: list[Spot]
    failed: bool
    """Whether the text could not be analysed."""
    fixed: dict[str | None, FileResult]
    """The text with every fix, or with those of one rule, by its code."""
    proposals: dict[int, Proposal]
    """By the place of the spot."""

    @property
    def result_id(self) -> str:
        """A name of what is found, which changes with the text and the configuration."""
        versions = "-".join(str(view.version) for view in self.snapshot.views)
        return f"{self.project.generation}:{versions}{':failed' if self.failed else ''}"


class Session:
    """What the handlers of the server work with."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._tasks: dict[str, tuple[Snapshot, int, asyncio.Task[Checked]]] = {}
        self._told: dict[Path, str] = {}
        """What a person was told is wrong, by the folder it was met in."""
        self.projects = Projects(self.folders)
        self.crew = Crew()

    def folders(self) -> list[Path]:
        """The folders of the workspace."""
        workspace = self._server.workspace
        uris = [each.uri for each in workspace.folders.values()]
        uris = uris or [workspace.root_uri or ""]
        return [Path(path) for uri in uris if (path := to_fs_path(uri))]

    def snapshot(self, uri: str) -> Snapshot | None:
        """What is open under a URI, as it is now."""
        return snapshot(self._server.workspace, uri)

    def spots(self, snapshot: Snapshot) -> Spots:
        """The editor's positions in a snapshot."""
        return Spots(snapshot, str(self._server.workspace.position_encoding or "utf-16"))

    async def checked(self, uri: str) -> Checked | None:
        """What is found in an open text as it is now; None when it is not open.

        Whoever asks about one version shares one check of it; a newer version stops it.
        """
        while (now := self.snapshot(uri)) is not None:
            task = self._task(now)
            try:
                return await asyncio.shield(task)
            except asyncio.CancelledError:
                if not task.cancelled() or self._is_wanted(now.key, task):
                    raise
        return None

    def forget(self, uri: str) -> None:
        """Drop what is known of a text that was closed."""
        if known := self._tasks.pop(uri, None):
            known[2].cancel()

    def retry(self, uri: str) -> None:
        """Forget a check that failed: its process may have died for reasons of its own."""
        known = self._tasks.get(uri)
        if known and known[2].done():
            task = known[2]
            if task.cancelled() or task.exception() or task.result().failed:
                self.forget(uri)

    def reload(self) -> list[str]:
        """Read the configurations again; the URIs of what is open."""
        self.projects.forget()
        return list(self._tasks)

    def close(self) -> None:
        """Stop everything."""
        for uri in list(self._tasks):
            self.forget(uri)
        self.crew.close()

    def say(self, problem: str) -> None:
        """Show the person a mistake."""
        self._server.window_show_message(
            types.ShowMessageParams(types.MessageType.Error, f"neuron-migrate: {problem}")
        )

    async def fixed(self, checked: Checked, code: str | None) -> FileResult:
        """The text with the fixes of a rule, or with every permitted one."""
        if code not in checked.fixed:
            catalog = checked.project.migrator.catalog
            checked.fixed[code] = await self.crew.fix(checked.job, catalog, code)
        return checked.fixed[code]

    async def proposals(self, checked: Checked, places: list[int]) -> list[Proposal]:
        """What can be done about some of the spots."""
        missing = [each for each in places if each not in checked.proposals]
        if missing:
            findings = [checked.spots[each].finding for each in missing]
            found = await self.crew.propose(checked.job, findings)
            checked.proposals.update(zip(missing, found, strict=True))
        return [checked.proposals[each] for each in places]

    def _is_wanted(self, key: str, task: asyncio.Task[Checked]) -> bool:
        """Whether a check is the newest of its text: then it is the server that ends."""
        known = self._tasks.get(key)
        return known is not None and known[2] is task

    def _task(self, now: Snapshot) -> asyncio.Task[Checked]:
        generation = self.projects.generation
        before = self._tasks.get(now.key)
        if before is not None:
            if before[:2] == (now, generation):
                return before[2]
            before[2].cancel()
        task = asyncio.create_task(self._check(now))
        self._tasks[now.key] = (now, generation, task)
        return task

    async def _check(self, now: Snapshot) -> Checked:
        project = await asyncio.to_thread(self.projects.of, now.place)
        self._tell(project)
        migrator = project.migrator
        name = project.name(now.place)
        job = Job(migrator.settings, project.generation, now.text, name)
        result = FileResult(path=name)
        if project.reads(now.place, now.text):
            result = await self.crew.check(job, migrator.catalog)
        findings = listed([result], show_advice=migrator.settings.show_advice)
        spots = list(self.spots(now).of(findings, name)) if now.views else []
        return Checked(now, project, job, spots, result.failed, {}, {})

    def _tell(self, project: Project) -> None:
        """What is wrong with a configuration, once, however many folders it holds for."""
        problem = project.problem
        if problem and problem not in self._told.values():
            self.say(problem)
        self._told.pop(project.folder, None)
        if problem:
            self._told[project.folder] = problem
