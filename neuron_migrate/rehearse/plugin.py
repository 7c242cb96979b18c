"""How processes that the program starts get the device: as torch gets every installed plugin.

`import torch` loads the entry points of the group `torch.backends`, TorchNeuron's among them. A
directory on PYTHONPATH that says it is such a distribution reaches every Python below.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import sys
import traceback
from multiprocessing import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_migrate.rehearse import recording, seeding

if TYPE_CHECKING:
    from types import TracebackType

    from neuron_migrate.rehearse.session import Session

RECORDING = "NEURON_MIGRATE_REHEARSE_RECORDING"
CORES = "NEURON_MIGRATE_REHEARSE_CORES"
ON_CPU = "NEURON_MIGRATE_REHEARSE_ON_CPU"
DISTRIBUTION = "neuron_migrate_rehearsal-0.dist-info"
METADATA = "Metadata-Version: 2.1\nName: neuron-migrate-rehearsal\nVersion: 0\n"
ENTRY_POINTS = "[torch.backends]\nneuron = neuron_migrate.rehearse.plugin:load\n"


def announce(directory: Path, cores: int | None, *, on_cpu: bool = False) -> None:
    """Let every Python process started from here on have the device and write to `directory`.

    With `on_cpu` they do without the device as this process does, and write nothing.
    """
    distribution = directory / "site" / DISTRIBUTION
    distribution.mkdir(parents=True, exist_ok=True)
    (distribution / "METADATA").write_text(METADATA)
    (distribution / "entry_points.txt").write_text(ENTRY_POINTS)
    paths = [str(distribution.parent), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    os.environ[RECORDING] = str(directory)
    if cores is not None:
        os.environ[CORES] = str(cores)
    if on_cpu:
        os.environ[ON_CPU] = "1"


def announce_to_spawned(directory: Path) -> None:
    """Reach processes that multiprocessing spawns: it hands them this process's path.

    Only after torch is imported here, or it would load the device a second time.
    """
    sys.path.append(str(directory / "site"))


def load() -> None:
    """What `import torch` calls: install the device, and record until the process ends."""
    text = os.environ.get(CORES, "")
    cores = int(text) if text else None
    if os.environ.get(ON_CPU):
        from neuron_migrate.rehearse import hosted

        hosted.install(cores)
        seeding.seed()
        return
    from neuron_migrate.rehearse.session import Session

    session = Session(Path(os.environ[RECORDING]), cores, tuple(sys.argv), _kind())
    seeding.seed()
    ending = Ending(session)
    atexit.register(ending.write)
    sys.excepthook = ending.excepthook


def _kind() -> str:
    if multiprocessing.parent_process() is not None or "RANK" not in os.environ:
        return "worker"
    return "rank"


class Ending:
    """Writes the recording when the process ends, with what it raised."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._outcome = recording.Outcome("finished")

    def excepthook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Show what was raised as Python does, and keep it."""
        from neuron_migrate.rehearse.script import raised

        self._outcome = raised(error.with_traceback(trace), self._session.lines)
        traceback.print_exception(kind, error, trace)

    def write(self) -> None:
        """Write what there is, unless the process did nothing with the device."""
        if self._session.has_events() or self._outcome.status != "finished":
            self._session.finish(self._outcome)


def follow_forks(session: Session) -> None:
    """Let processes that multiprocessing forks write recordings of their own."""
    util.register_after_fork(session, _after_fork)


def _after_fork(session: Any) -> None:
    session.begin_fork()
    util.Finalize(None, Ending(session).write, exitpriority=0)
