"""One process under rehearsal: installs the device, and writes the recording at the end."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import torch

from neuron_migrate.rehearse import backend, plugin, recording
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.rehearse.lines import Lines


class Session:
    """What a process needs from its first line to its last; `kind` is `script` or `worker`."""

    def __init__(
        self, directory: Path, cores: int | None, command: tuple[str, ...], kind: str = "script"
    ) -> None:
        self._directory = directory
        self._command = command
        self._kind = kind
        self._started = time.monotonic()
        backend.install(cores)
        state.recorder.keep(self._keep)
        plugin.follow_forks(self)

    @property
    def lines(self) -> Lines:
        """What tells the program's frames from others."""
        return state.recorder.lines

    def begin_fork(self) -> None:
        """Start anew in a forked process: what came before is its parent's."""
        self._kind = "worker"
        self._started = time.monotonic()
        state.recorder.clear()
        state.rank = None
        state.memory.begin_fork()

    def has_events(self) -> bool:
        """Whether anything was recorded."""
        return state.recorder.has_events()

    def _rank(self) -> int | None:
        if state.rank is not None:
            return state.rank
        told = os.environ.get("RANK", "")
        return int(told) if told.isdigit() and self._kind != "worker" else None

    def _keep(self) -> None:
        """Write what there is so far; a disk that is full does not end the program."""
        with suppress(OSError):
            self.finish(recording.Outcome(recording.RUNNING))

    def finish(self, outcome: recording.Outcome) -> None:
        """Write the recording."""
        rank = self._rank()
        recording.write(
            recording.Recording(
                version=recording.VERSION,
                process=os.getpid(),
                kind="rank" if rank is not None and self._kind == "worker" else self._kind,
                command=self._command,
                torch=str(torch.__version__),
                seconds=time.monotonic() - self._started,
                outcome=outcome,
                operators=tuple(state.recorder.operators()),
                transfers=tuple(state.recorder.transfers()),
                synchronisations=tuple(state.recorder.synchronisations()),
                memory=state.memory.summary(),
                rank=rank,
                notes=tuple(state.recorder.notes()),
                collectives=tuple(state.recorder.collectives()),
                graphs=tuple(state.recorder.graphs()),
                compilations=tuple(state.recorder.compilations()),
                parameters=tuple(state.recorder.parameters()),
            ),
            self._directory,
        )
