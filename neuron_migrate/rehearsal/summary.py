"""From the recordings of all processes to one summary."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.rehearsal import compiling, operators, traffic
from neuron_migrate.rehearsal.bill import bill
from neuron_migrate.rehearsal.faults import faults, of_comparison, of_regions
from neuron_migrate.rehearsal.model import (
    Core,
    Ending,
    Frame,
    Memory,
    Outcome,
    Place,
    Process,
    Rehearsal,
    Remark,
)
from neuron_migrate.rehearsal.regions import regions
from neuron_migrate.rehearse.recording import RUNNING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neuron_migrate.catalog.rehearsal import MemoryFact, RehearsalFacts
    from neuron_migrate.rehearsal.model import Comparison, Explanation
    from neuron_migrate.rehearse import recording
    from neuron_migrate.rehearse.recording import Recording


class Places:
    """Spells the lines of recordings as findings spell theirs."""

    def __init__(self, folder: Path) -> None:
        self._folder = Path(os.path.realpath(folder))

    def __call__(self, line: recording.Line) -> Place:
        """The place of a line; its path is relative where it is inside the folder."""
        if not line.path:
            return Place("", 0)
        path = Path(os.path.realpath(line.path))
        inside = path.is_relative_to(self._folder)
        shown = path.relative_to(self._folder).as_posix() if inside else line.path
        return Place(shown, line.number, line.function)


def summarise(
    recordings: Sequence[Recording],
    facts: RehearsalFacts,
    *,
    command: tuple[str, ...],
    status: int,
    folder: Path,
    explain: Callable[[recording.Outcome], tuple[Explanation, ...]],
    comparison: Comparison | None = None,
) -> Rehearsal:
    """The summary; ``status`` is that of the script's process, negative for a signal.

    Paths are relative to ``folder``; ``explain`` finds the rules behind an exception.
    """
    place = _cached(Places(folder))
    asked = compiling.Compiling(recordings)
    needed, compiled = bill(asked, facts.compile, place), regions(asked, recordings, place)
    uses = operators.supported(recordings, facts.operators, place)
    memory = _memory(recordings, facts.memory, place)
    moved = traffic.transfers(recordings, place)
    outcome = _outcome(recordings, status, place, explain)
    ran = bool(recordings) and outcome.ending == "finished"
    found = [*faults(needed, uses, memory, bool(moved)), *of_regions(compiled)] if ran else []
    if ran and comparison is not None:
        found += of_comparison(comparison)
    return Rehearsal(
        command=command,
        torch=next((each.torch for each in recordings), ""),
        outcome=outcome,
        bill=needed,
        transfers=moved,
        waits=traffic.waits(recordings, place),
        operators=uses,
        dtypes=operators.dtypes(recordings, place),
        memory=memory,
        processes=tuple(map(_process, recordings)),
        faults=tuple(found),
        notes=_notes(recordings, place),
        comparison=comparison,
        regions=compiled,
        collectives=traffic.collectives(recordings, place),
    )


def _cached(places: Places) -> Callable[[recording.Line], Place]:
    known: dict[recording.Line, Place] = {}

    def place(line: recording.Line) -> Place:
        if line not in known:
            known[line] = places(line)
        return known[line]

    return place


def _outcome(
    recordings: Sequence[Recording],
    status: int,
    place: Callable[[recording.Line], Place],
    explain: Callable[[recording.Outcome], tuple[Explanation, ...]],
) -> Outcome:
    """How the script ended; what a rank raised stands behind what its launcher did."""
    scripts = [each for each in recordings if each.kind == "script"]
    said = scripts[0].outcome.status if scripts else RUNNING
    if said == RUNNING or (status < 0 and said != "raised"):
        return Outcome(ending="killed", status=status, recorded=bool(scripts))
    ranks = [each for each in recordings if each.kind == "rank"]
    failed = [each for each in ranks if status and each.outcome.status == "raised"]
    shown = [*failed, *scripts][0]
    ended, ending = shown.outcome, _ending(shown.outcome)
    raised = ended.status == "raised"
    return Outcome(
        ending=ending,
        status=status,
        exception=ended.exception,
        message=ended.message,
        rank=shown.rank,
        frames=tuple(Frame(place(each.line), each.source) for each in ended.frames if each.own),
        explanations=explain(ended) if raised and ending != "interrupted" else (),
    )


def _ending(outcome: recording.Outcome) -> Ending:
    if outcome.exception == "KeyboardInterrupt":
        return "interrupted"
    known = {"raised": "raised", "exited": "exited", RUNNING: "killed"}
    return known.get(outcome.status, "finished")  # type: ignore[return-value]


def _memory(
    recordings: Sequence[Recording], fact: MemoryFact, place: Callable[[recording.Line], Place]
) -> Memory:
    cores = (
        Core(core=core.core, rank=each.rank, peak=core.peak, place=place(core.peak_line))
        for each in recordings
        for core in each.memory
    )
    fullest = sorted(cores, key=lambda core: (-core.peak, core.rank or 0, core.core))
    return Memory(limit=fact.bytes, why=fact.why, sources=fact.sources, cores=tuple(fullest))


def _process(recording: Recording) -> Process:
    return Process(
        kind=recording.kind,
        rank=recording.rank,
        ending=_ending(recording.outcome),
        seconds=round(recording.seconds, 1),
        compilations=compiling.number(recording),
        peak=max((core.peak for core in recording.memory), default=0),
    )


def _notes(
    recordings: Sequence[Recording], place: Callable[[recording.Line], Place]
) -> tuple[Remark, ...]:
    places: dict[str, dict[Place, None]] = {}
    for each in recordings:
        for note in each.notes:
            places.setdefault(note.text, {})[place(note.line)] = None
    return tuple(Remark(text=text, places=(*at,)) for text, at in places.items())
