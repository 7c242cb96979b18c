"""`torch.neuron`: the names that public sources show, and no others."""

from __future__ import annotations

import contextlib
import types
from typing import TYPE_CHECKING, Any

import torch

from neuron_migrate.rehearse import cores, generators
from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.cores import index_of
from neuron_migrate.rehearse.memory import CORE_BYTES
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Iterator

Device = Any


class Properties:
    """What `get_device_properties` gives; shipped libraries read `name`."""

    def __init__(self) -> None:
        self.name = "trn2"
        self.total_memory = CORE_BYTES


def is_available() -> bool:
    """Whether there is a core."""
    return bool(state.memory.cores)


def is_initialized() -> bool:
    """Whether the runtime is up: torch asks before it seeds."""
    return True


def device_count() -> int:
    """The number of logical cores."""
    return len(state.memory.cores)


def current_device() -> int:
    """The core that `neuron` without an index means."""
    return state.current


def set_device(device: Device) -> None:
    """Choose the current core."""
    state.current = index_of(device)
    state.chosen = True
    if state.current:
        cores.follow()


@contextlib.contextmanager
def device(chosen: Device) -> Iterator[None]:
    """Choose the current core for a block; torch's activation checkpointing asks for it."""
    before = state.current
    set_device(chosen)
    try:
        yield
    finally:
        state.current = before


def synchronize(device: Device = None) -> None:
    """Wait for a core: recorded, as there is nothing to wait for."""
    index_of(device)
    state.recorder.wait("synchronize", locate())


def get_device_properties(device: Device = None) -> Properties:
    """What a core is."""
    index_of(device)
    return Properties()


def get_device_name(device: Device = None) -> str:
    """The name of a core, which is its device string."""
    return f"neuron:{index_of(device)}"


def is_bf16_supported() -> bool:
    """Whether bfloat16 works, which it does on every Trainium."""
    return True


def get_amp_supported_dtype() -> list[torch.dtype]:
    """The types autocast may cast to."""
    return [torch.bfloat16, torch.float16]


def empty_cache() -> None:
    """Give unused memory back: there is none."""


def memory_allocated(device: Device = None) -> int:
    """Bytes of tensors on a core."""
    return state.memory.cores[index_of(device)].current


def max_memory_allocated(device: Device = None) -> int:
    """The most bytes of tensors on a core since the peak was reset."""
    return state.memory.cores[index_of(device)].peak


def reset_peak_memory_stats(device: Device = None) -> None:
    """Begin a new peak."""
    state.memory.cores[index_of(device)].reset_peak()


def memory_stats(device: Device = None) -> dict[str, int]:
    """The counters that torch's allocators have under the same names."""
    core = state.memory.cores[index_of(device)]
    stats = {}
    for kind in ("allocated_bytes", "reserved_bytes", "active_bytes"):
        stats[f"{kind}.all.current"] = core.current
        stats[f"{kind}.all.peak"] = core.peak
    stats["allocation.all.allocated"] = core.allocations
    return stats


def memory_summary(device: Device = None) -> str:
    """The counters as text."""
    lines = (f"{name}: {value}" for name, value in memory_stats(device).items())
    return "\n".join((get_device_name(device), *lines))


def _is_in_bad_fork() -> bool:
    return False


def _get_device_index(device: Device, optional: bool = False) -> int:
    return index_of(device)


def build() -> types.ModuleType:
    """The module that torch registers as `torch.neuron`."""
    module: Any = types.ModuleType("torch.neuron")
    for name in PUBLIC:
        setattr(module, name, globals()[name])
    for name in generators.PUBLIC:
        setattr(module, name, getattr(generators, name))
    module._is_in_bad_fork = _is_in_bad_fork
    module._utils = types.SimpleNamespace(_get_device_index=_get_device_index)
    return module


PUBLIC = (
    "current_device",
    "device",
    "device_count",
    "empty_cache",
    "get_amp_supported_dtype",
    "get_device_name",
    "get_device_properties",
    "is_available",
    "is_bf16_supported",
    "is_initialized",
    "max_memory_allocated",
    "memory_allocated",
    "memory_stats",
    "memory_summary",
    "reset_peak_memory_stats",
    "set_device",
    "synchronize",
)
