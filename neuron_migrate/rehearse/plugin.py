"""How processes that the program starts get the device: as torch gets every installed plugin.

`import torch` loads the entry points of the group `torch.backends`, TorchNeuron's among them. A
directory on PYTHONPATH that says it is such a distribution reaches every Python below.
"""

from __future__ import annotations

import atexit
import importlib.metadata
import multiprocessing
import os
import sys
import traceback
from multiprocessing import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_migrate.rehearse import recording, seeding, termination

if TYPE_CHECKING:
    from types import TracebackType

    from neuron_migrate.rehearse.session import Session

RECORDING = "NEURON_MIGRATE_REHEARSE_RECORDING"
CORES = "NEURON_MIGRATE_REHEARSE_CORES"
ON_CPU = "NEURON_MIGRATE_REHEARSE_ON_CPU"
ENTRY_POINTS = """
[torch.backends]
neuron = neuron_migrate.rehearse.plugin:load
[torch_dynamo_backends]
neuron = neuron_migrate.rehearse.compiler:compile_graph
"""
STAND_IN = "from neuron_migrate.rehearse.torch_neuronx import *\n"
STAND_IN += "from neuron_migrate.rehearse.torch_neuronx import __getattr__, __version__\n"
NO_PROFILER = """raise ImportError(
    "torch_neuronx.profiling is not simulated: a rehearsal has no chip to profile"
)
"""


def site() -> dict[str, str]:
    """The files that make a directory on PYTHONPATH the device, as an installed TorchNeuron would.

    Libraries ask for the module `torch_neuronx` and for the version of the distribution.
    """
    version = torch_neuronx_version()
    device, package = "neuron_migrate_rehearsal-0.dist-info", f"torch_neuronx-{version}.dist-info"
    return {
        f"{device}/METADATA": _metadata("neuron-migrate-rehearsal", "0"),
        f"{device}/entry_points.txt": ENTRY_POINTS,
        f"{package}/METADATA": _metadata("torch-neuronx", version),
        f"{package}/top_level.txt": "torch_neuronx\n",
        "torch_neuronx/__init__.py": STAND_IN,
        "torch_neuronx/profiling.py": NO_PROFILER,
    }


def torch_neuronx_version() -> str:
    """The version that goes with the installed torch, as TorchNeuron counts: 2.13.3 for 2.13."""
    major, minor, *_ = importlib.metadata.version("torch").split(".")
    return f"{major}.{minor}.3+simulated"


def _metadata(name: str, version: str) -> str:
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"


def announce(directory: Path, cores: int | None, *, on_cpu: bool = False) -> None:
    """Let every Python process started from here on have the device and write to `directory`.

    With `on_cpu` they do without the device as this process does, and write nothing.
    """
    for name, text in site().items():
        file = directory / "site" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    paths = [str(directory / "site"), os.environ.get("PYTHONPATH", "")]
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
    if _kind() == "rank":
        termination.write_when_told(ending.write_ended)


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

    def write_ended(self) -> None:
        """Write what there is of a process that was told to end."""
        if self._outcome.status == "finished":
            self._outcome = recording.Outcome("exited", termination.BY_SIGNAL, message="SIGTERM")
        self._session.finish(self._outcome)

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
