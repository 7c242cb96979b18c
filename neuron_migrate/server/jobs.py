"""What the processes of the server do: the work on one text."""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.api import Migrator
from neuron_migrate.server.silence import silencing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.finding import Edit, FileResult, Finding
    from neuron_migrate.settings import Settings


class Job(msgspec.Struct, frozen=True):
    """A text and what it is to be held against."""

    settings: Settings
    generation: int
    """Of the configuration: what a process has read before is good for one."""
    text: str
    path: str

    @property
    def migrator(self) -> Migrator:
        """The rules of the job."""
        return _migrator(pickle.dumps(self.settings), self.generation)


class Proposal(msgspec.Struct, frozen=True):
    """What can be done about one finding."""

    is_fixable: bool
    """The text with its edits is valid."""
    silencing: Edit | None
    """The edit that adds, or extends, a comment which silences it."""


def begin() -> None:
    """Import what every job needs."""
    import neuron_migrate.engine.work  # noqa: F401


def check(job: Job) -> FileResult:
    """What is found in the text."""
    return job.migrator.check_text(job.text, job.path)


def fix(job: Job, code: str | None) -> FileResult:
    """The text with every permitted fix, or with those of one rule."""
    migrator = job.migrator if code is None else job.migrator.only(code)
    return migrator.fix_text(job.text, job.path)


def propose(job: Job, findings: Sequence[Finding]) -> list[Proposal]:
    """What can be done about some findings of the text."""
    return [_proposal(job, each) for each in findings]


def _proposal(job: Job, finding: Finding) -> Proposal:
    edits, migrator = bool(finding.edits), job.migrator
    fixable = edits and migrator.fix_finding(job.text, job.path, finding) is not None
    return Proposal(fixable, silencing(migrator, job.text, job.path, finding))


@lru_cache(8)
def _migrator(settings: bytes, generation: int) -> Migrator:
    del generation
    return Migrator.of(pickle.loads(settings))
