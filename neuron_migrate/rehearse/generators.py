"""Random numbers of the device.

How the numbers of a Trainium follow from a seed is not public. All cores share the CPU's stream,
so that a program draws the same numbers here as on the CPU and results can be compared.
"""

from __future__ import annotations

import weakref
from typing import Any

import torch
from torch import Generator as CpuGenerator

AWAY = frozenset({"neuron"})
"""The devices whose streams are simulated."""
_of_device: weakref.WeakValueDictionary[int, Generator] = weakref.WeakValueDictionary()
"""By the address of torch's own object, which is all of a generator that kernels are given."""


class Generator(CpuGenerator):
    """`torch.Generator` that also takes the device `neuron`."""

    _device: torch.device | None

    def __new__(cls, device: Any = "cpu") -> Generator:  # noqa: PYI034
        """A generator of the device; its numbers are those of a CPU generator."""
        wanted = torch.device(device)
        simulated = wanted.type in AWAY
        made: Generator = super().__new__(cls, "cpu" if simulated else wanted)
        made._device = torch.device(wanted.type, wanted.index or 0) if simulated else None
        if simulated:
            _of_device[made._cdata] = made
        return made

    @property
    def device(self) -> torch.device:
        """Where the numbers are drawn."""
        return self._device or super().device


def check(generator: torch.Generator) -> None:
    """Raise what torch raises for a generator of another device."""
    if generator._cdata not in _of_device:
        raise RuntimeError(
            f"Expected a 'neuron' device type for generator but found '{generator.device.type}'"
        )


def manual_seed_all(seed: int) -> None:
    """Seed all cores."""
    torch.default_generator.manual_seed(seed)


def get_rng_state(device: Any = "neuron") -> torch.Tensor:
    """The state of a core's stream."""
    return torch.default_generator.get_state()


def set_rng_state(new_state: torch.Tensor, device: Any = "neuron") -> None:
    """Continue a core's stream from a state."""
    torch.default_generator.set_state(new_state)


def get_rng_state_all() -> list[torch.Tensor]:
    """The states of all cores."""
    return [
        get_rng_state(index) for index in range(torch.get_device_module("neuron").device_count())
    ]


def set_rng_state_all(new_states: list[torch.Tensor]) -> None:
    """Continue the streams of all cores."""
    for index, new_state in enumerate(new_states):
        set_rng_state(new_state, index)


def install() -> None:
    """Let `torch.Generator` make generators of the device."""
    torch.Generator = Generator


PUBLIC = (
    "get_rng_state",
    "get_rng_state_all",
    "manual_seed_all",
    "set_rng_state",
    "set_rng_state_all",
)
