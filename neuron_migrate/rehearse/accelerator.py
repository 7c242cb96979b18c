"""`torch.accelerator` for a device that registers from Python.

Its C++ side asks hooks that Python cannot give, so the functions themselves are replaced.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from typing import Any

import torch

from neuron_migrate.rehearse import devices, streams
from neuron_migrate.rehearse.cores import index_of
from neuron_migrate.rehearse.memory import CORE_BYTES
from neuron_migrate.rehearse.state import state


def memory_stats(device_index: Any = None, /) -> OrderedDict[str, Any]:
    """The counters of a core."""
    return OrderedDict(sorted(devices.memory_stats(device_index).items()))


def get_memory_info(device_index: Any = None, /) -> tuple[int, int]:
    """Free and total bytes of a core."""
    return CORE_BYTES - devices.memory_allocated(device_index), CORE_BYTES


@functools.cache
def _stream(index: int) -> torch.Stream:
    return streams.Stream(index)


def current_stream(device: Any = None, /) -> torch.Stream:
    """The only queue there is of a core; compiled code asks whether it is still the same."""
    return _stream(index_of(device))


def set_stream(stream: torch.Stream) -> None:
    """Nothing: there is only one queue."""


class DeviceIndex:
    """`torch.accelerator.device_index(1)`: the current core of a block."""

    def __init__(self, device: int | None, /) -> None:
        self._chosen = device
        self._before = state.current

    def __enter__(self) -> None:
        self._before = state.current
        if self._chosen is not None:
            devices.set_device(self._chosen)

    def __exit__(self, *exc_info: object) -> None:
        state.current = self._before


FUNCTIONS: dict[str, Any] = {
    "current_device_idx": devices.current_device,
    "current_device_index": devices.current_device,
    "current_stream": current_stream,
    "device_index": DeviceIndex,
    "empty_cache": devices.empty_cache,
    "empty_host_cache": devices.empty_cache,
    "get_memory_info": get_memory_info,
    "max_memory_allocated": devices.max_memory_allocated,
    "max_memory_reserved": devices.max_memory_allocated,
    "memory_allocated": devices.memory_allocated,
    "memory_reserved": devices.memory_allocated,
    "memory_stats": memory_stats,
    "reset_accumulated_memory_stats": lambda device_index=None, /: None,
    "reset_peak_memory_stats": devices.reset_peak_memory_stats,
    "set_device_idx": devices.set_device,
    "set_device_index": devices.set_device,
    "set_stream": set_stream,
    "synchronize": devices.synchronize,
}


def install() -> None:
    """Replace the functions that the installed torch has."""
    for module in (torch.accelerator, torch.accelerator.memory):
        for name, function in FUNCTIONS.items():
            if hasattr(module, name):
                setattr(module, name, function)
