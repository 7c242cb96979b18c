"""The simulated machine of this process: one, as torch knows one device of the name."""

from __future__ import annotations

from neuron_migrate.rehearse.lines import NOWHERE, Place
from neuron_migrate.rehearse.memory import Memory
from neuron_migrate.rehearse.recorder import Recorder

DEFAULT_CORES = 4
"""The logical cores of a trn2.3xlarge: one chip of eight physical cores, used in pairs."""


class State:
    """The cores, which of them is current, the recorder, and the line being executed.

    `chosen` says that the program chose a core; `rank` is this process's in its process group.
    `backward` says that autograd runs what was located last.
    `node` is the line behind an operator of a compiled region, where no frame of it is active.
    """

    def __init__(self, cores: int = DEFAULT_CORES) -> None:
        self.memory = Memory(cores)
        self.current = 0
        self.chosen = False
        self.rank: int | None = None
        self.recorder = Recorder()
        self.place: Place = NOWHERE
        self.backward = False
        self.node: Place | None = None

    def resize(self, cores: int) -> None:
        """Set the number of logical cores, before any tensor is on one."""
        self.memory = Memory(cores)


state = State()
