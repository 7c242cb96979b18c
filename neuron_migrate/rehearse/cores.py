"""`neuron` without an index means the current core: torch's C++ knows only core 0."""

from __future__ import annotations

from typing import Any

import torch

from neuron_migrate.rehearse.state import state

_to = torch.Tensor.to
_engine = torch.autograd.graph._engine_run_backward


def _indexed(value: Any) -> Any:
    if isinstance(value, str) and value == "neuron":
        return torch.device("neuron", state.current)
    if isinstance(value, torch.device) and value.type == "neuron" and value.index is None:
        return torch.device("neuron", state.current)
    return value


def to(self: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor:
    """`Tensor.to` with the current core for a device that names none."""
    if state.current:
        args = tuple(_indexed(argument) for argument in args)
        kwargs = {name: _indexed(argument) for name, argument in kwargs.items()}
    return _to(self, *args, **kwargs)


def _engine_run_backward(*args: Any, **kwargs: Any) -> Any:
    """Run backward in the calling thread: the engine has a thread for core 0 only."""
    with torch.autograd.set_multithreading_enabled(False):
        return _engine(*args, **kwargs)


def install() -> None:
    """Replace what would always choose core 0."""
    torch.Tensor.to = to
    torch.autograd.graph._engine_run_backward = _engine_run_backward
    torch.autograd._engine_run_backward = _engine_run_backward
