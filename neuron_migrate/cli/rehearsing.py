"""One rehearsal from the command line to its exit status."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.catalog import rehearsal as facts
from neuron_migrate.cli.output import encoded, say, show, write_file
from neuron_migrate.cli.status import INTERRUPTED, OK
from neuron_migrate.errors import UsageError
from neuron_migrate.rehearsal import compare, launch, summary
from neuron_migrate.rehearsal.compare import TOLERANCE
from neuron_migrate.rehearsal.explanation import Explainer
from neuron_migrate.rehearsal.interpreter import interpreter
from neuron_migrate.rehearse import recording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.api.migrator import Migrator
    from neuron_migrate.rehearsal.model import Comparison, Rehearsal

FAULT = 3
"""The program ended well, the rehearsal did not."""
_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be rehearsed, and how."""

    program: tuple[str, ...]
    cores: int | None
    python: str | None
    recording: Path | None
    """The folder the recording is to stay in."""
    compare: str | None = None
    """`cpu`, or the program before its migration."""
    tolerance: float = TOLERANCE


def check(asked: Asked, output: Path | None) -> None:
    """Raise UsageError for what would only show after the program has run."""
    script = asked.program[0]
    if script != "-m" and not Path(script).exists():
        raise UsageError(f"no such script: {script}")
    if output is not None and not output.absolute().parent.is_dir():
        raise UsageError(f"--output: no such folder: {output.parent}")
    if asked.compare not in (None, "cpu") and not Path(asked.compare).is_file():
        raise UsageError(f"--compare: neither cpu nor a script: {asked.compare}")
    kept = asked.recording
    if kept is not None and kept.exists() and (not kept.is_dir() or any(kept.iterdir())):
        raise UsageError(f"--keep-recording: {kept} is not an empty folder")


def rehearse(asked: Asked, migrator: Migrator) -> Rehearsal:
    """Run the program and summarise what its processes recorded."""
    python = interpreter(asked.python)
    with _folder(asked.recording) as folder:
        run = launch.Launch(
            python=python, program=asked.program, recording=folder, cores=asked.cores
        )
        if asked.compare is None:
            status, comparison = launch.run(run), None
        else:
            status, comparison = _compared(run, asked.compare, asked.tolerance)
        recordings = recording.read(folder)
    known = facts.load()
    return summary.summarise(
        recordings,
        known,
        command=asked.program,
        status=status,
        folder=Path.cwd(),
        explain=Explainer(migrator, known.exceptions).explain,
        comparison=comparison,
    )


def _compared(run: launch.Launch, reference: str, tolerance: float) -> tuple[int, Comparison]:
    with compare.beside(run, reference, tolerance) as comparing:
        status = comparing.rehearse()
        if status == OK:
            say("the program runs again, on the CPU, in a copy of this folder")
        return status, comparing.compare(status)


def deliver(document: str, output: Path | None) -> None:
    """Print the report, or put it into a file."""
    if output is None:
        show(document)
    else:
        write_file(output, encoded(document))


def complain(rehearsal: Rehearsal) -> None:
    """One line on standard error for each fault."""
    for fault in rehearsal.faults:
        at = f"{fault.places[0]}: " if fault.places else ""
        say(f"fault: {at}{fault.message}")


def status(rehearsal: Rehearsal) -> int:
    """The exit status of the command."""
    outcome = rehearsal.outcome
    if outcome.ending == "interrupted":
        return INTERRUPTED
    if outcome.status < 0:
        return _SIGNALLED - outcome.status
    if outcome.status != OK:
        return outcome.status
    return FAULT if rehearsal.faults else OK


@contextmanager
def _folder(kept: Path | None) -> Iterator[Path]:
    """Where the processes record: the folder that is named, else one that goes away."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="neuron-migrate-") as folder:
        yield Path(folder)
