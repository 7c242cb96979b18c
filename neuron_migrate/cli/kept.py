"""A rehearsal that was kept, for the report of a check or a fix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.catalog import rehearsal as facts
from neuron_migrate.errors import UsageError
from neuron_migrate.rehearsal import summary
from neuron_migrate.rehearsal.explanation import Explainer
from neuron_migrate.rehearse import recording

if TYPE_CHECKING:
    from neuron_migrate.cli.session import Session
    from neuron_migrate.rehearsal.model import Rehearsal


def rehearsal(session: Session) -> Rehearsal | None:
    """The summary of the recording that ``--rehearsal`` names; None where it names none."""
    folder = session.options.rehearsal
    if folder is None:
        return None
    recordings = read(folder)
    known = facts.load()
    return summary.summarise(
        recordings,
        known,
        command=recordings[0].command,
        status=recordings[0].outcome.exit_code,
        folder=Path.cwd(),
        explain=Explainer(session.migrator, known.exceptions).explain,
    )


def read(folder: Path) -> list[recording.Recording]:
    """The recordings of all processes. Raises UsageError where there are none."""
    try:
        found = recording.read(folder)
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(f"--rehearsal: cannot read {folder}: {error}") from None
    if not found:
        raise UsageError(
            f"--rehearsal: no recording in {folder}: neuron-migrate rehearse --keep-recording"
            f" {folder} makes one"
        )
    if found[0].version != recording.VERSION:
        raise UsageError(f"--rehearsal: {folder} was recorded by another version")
    return found
