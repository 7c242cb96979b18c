"""`torch.cuda` for a program that was written for it and runs on the CPU."""

from __future__ import annotations

import time
from typing import Any

import torch

from neuron_migrate.rehearse import devices, generators, streams
from neuron_migrate.rehearse.cores import index_of

CAPABILITY = (9, 0)
"""That of an H100: programs ask it whether bfloat16 and flash attention are there."""
TYPES = ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Short", "Char", "Byte", "Bool")


class Stream:
    """A queue of work: everything is done at once."""

    cuda_stream = 0

    def __init__(self, device: Any = None, priority: int = 0, **_: Any) -> None:
        self.device = torch.device("cuda", index_of(device))
        self.priority = priority

    def __enter__(self) -> Stream:  # noqa: PYI034
        """Nothing changes."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing changed."""

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def wait_stream(self, stream: Any) -> None:
        """Nothing to wait for."""

    def wait_event(self, event: Any) -> None:
        """Nothing to wait for."""

    def record_event(self, event: Any = None) -> Event:
        """An event that has happened."""
        made: Event = event or Event()
        made.record()
        return made

    def query(self) -> bool:
        """Whether all work is done."""
        return True


class Event:
    """A point in time."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self._at = 0.0

    def record(self, stream: Any = None) -> None:
        """It happens now."""
        self._at = time.monotonic()

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds until another event."""
        return (end._at - self._at) * 1000

    def synchronize(self) -> None:
        """Nothing to wait for."""

    def wait(self, stream: Any = None) -> None:
        """Nothing to wait for."""

    def query(self) -> bool:
        """Whether it happened."""
        return True


def manual_seed(seed: int) -> None:
    """Seed the current device, which shares the stream of the CPU."""
    generators.manual_seed_all(seed)


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """What the device can do."""
    return CAPABILITY


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total memory."""
    total = devices.get_device_properties(device).total_memory
    return total, total


def memory_reserved(device: Any = None) -> int:
    """Bytes that the allocator holds: there is none."""
    return 0


def current_stream(device: Any = None) -> Stream:
    """The only queue."""
    return Stream(device)


def nothing(*_: Any, **__: Any) -> None:
    """What has no meaning without the device."""


STANDING_IN = {
    "Stream": Stream,
    "Event": Event,
    "manual_seed": manual_seed,
    "get_device_capability": get_device_capability,
    "mem_get_info": mem_get_info,
    "memory_reserved": memory_reserved,
    "max_memory_reserved": memory_reserved,
    "current_stream": current_stream,
    "default_stream": current_stream,
    "set_stream": nothing,
    "stream": streams.stream,
    "init": nothing,
    "ipc_collect": nothing,
    "reset_max_memory_allocated": nothing,
    "reset_accumulated_memory_stats": nothing,
    "_lazy_init": nothing,
}


RANGES = ("mark", "range_push", "range_pop", "range_start", "range_end")
"""What torch.cuda.nvtx marks for a profiler."""


def install() -> None:
    """Let `torch.cuda` answer as if there were a device."""
    for name in devices.PUBLIC:
        setattr(torch.cuda, name, getattr(devices, name))
    for name in generators.PUBLIC:
        setattr(torch.cuda, name, getattr(generators, name))
    for name, value in STANDING_IN.items():
        setattr(torch.cuda, name, value)
    for name in RANGES:
        setattr(torch.cuda.nvtx, name, nothing)
    for name in TYPES:
        setattr(torch.cuda, f"{name}Tensor", getattr(torch, f"{name}Tensor"))
