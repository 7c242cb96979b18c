"""Queues of work and points in them: everything is done at once, so that no point is waited for.

torch's own events raise for a device that registers from Python.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

import torch
from torch import Event as TorchEvent

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.cores import index_of
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Iterator


class Event(TorchEvent):
    """`torch.Event` that also takes the device `neuron`."""

    _recorded: float | None = None

    def record(self, stream: Any = None) -> None:
        """Record the point now."""
        if self.device.type == "neuron":
            self._recorded = time.perf_counter()
        else:
            super().record(stream)

    def wait(self, stream: Any = None) -> None:
        """Let a queue wait for the point."""
        if self.device.type != "neuron":
            super().wait(stream)

    def query(self) -> bool:
        """Whether the point is reached."""
        return self.device.type == "neuron" or super().query()

    def synchronize(self) -> None:
        """Let the host wait for the point."""
        if self.device.type == "neuron":
            state.recorder.wait("synchronize", locate())
        else:
            super().synchronize()

    def elapsed_time(self, other: Any) -> float:
        """Milliseconds between two recorded points, of this machine."""
        if self.device.type != "neuron":
            return super().elapsed_time(other)
        if self._recorded is None or other._recorded is None:
            raise RuntimeError("Both events must be recorded before calculating elapsed time.")
        return float(other._recorded - self._recorded) * 1000


class DeviceEvent(Event):
    """`torch.neuron.Event()`: `fully_shard` makes it."""

    def __new__(cls, *_: Any, **options: Any) -> DeviceEvent:  # noqa: PYI034
        """An event of the device."""
        made: DeviceEvent = super().__new__(cls, device="neuron", **options)
        return made

    def record(self, stream: Any = None) -> DeviceEvent:  # type: ignore[override]
        """Record the point now; the event itself, as `fully_shard` expects."""
        super().record(stream)
        return self


class Stream(torch.Stream):
    """A queue of work."""

    def __new__(cls, device: Any = None, **_: Any) -> Stream:  # noqa: PYI034
        """Only one queue exists, whatever is asked for."""
        made: Stream = super().__new__(cls, device=torch.device("neuron", index_of(device)))
        return made

    def record_event(self, event: Any = None) -> Any:
        """Record a point."""
        event = DeviceEvent() if event is None else event
        event.record(self)
        return event


def current_stream(device: Any = None) -> torch.Stream:
    """The only queue there is; `fully_shard` asks for it."""
    return Stream(device)


@contextlib.contextmanager
def stream(_: Any) -> Iterator[None]:
    """Queue the work of a block on a stream."""
    yield


def install() -> None:
    """Let `torch.Event` make events of the device, and give `torch.neuron` its names."""
    torch.Event = Event
    module = torch.get_device_module("neuron")
    module.Event, module.Stream = DeviceEvent, Stream
    module.current_stream, module.stream = current_stream, stream
