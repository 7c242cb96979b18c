"""The bytes of tensors on each logical core."""

from __future__ import annotations

from neuron_migrate.rehearse import recording
from neuron_migrate.rehearse.lines import NOWHERE, Place

CORE_BYTES = 24 * 1024**3
"""High-bandwidth memory of one logical NeuronCore of a Trn2: 96 GiB a chip, four logical cores."""


class Core:
    """What one core holds; a storage counts once, however many views it has."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.current = 0
        self.peak = 0
        self.highest = 0
        self.highest_place: Place = NOWHERE
        self.allocations = 0

    def allocate(self, size: int, place: Place) -> None:
        """A storage came into being."""
        self.allocations += 1
        self.current += size
        self.peak = max(self.peak, self.current)
        if self.current > self.highest:
            self.highest = self.current
            self.highest_place = place

    def free(self, size: int) -> None:
        """A storage went away."""
        self.current -= size

    def reset_peak(self) -> None:
        """Forget the peak that the program sees; the recorded one stays."""
        self.peak = self.current


class Memory:
    """The cores of the simulated machine."""

    def __init__(self, cores: int) -> None:
        self.cores = [Core(index) for index in range(cores)]

    def begin_fork(self) -> None:
        """Forget peaks that the parent process made."""
        for core in self.cores:
            core.highest, core.highest_place = 0, NOWHERE

    def summary(self) -> tuple[recording.Memory, ...]:
        """The cores that ever held a tensor, for the recording."""
        return tuple(
            recording.Memory(core.index, core.highest, recording.Line(*core.highest_place))
            for core in self.cores
            if core.highest
        )
