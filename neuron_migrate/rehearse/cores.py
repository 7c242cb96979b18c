"""`neuron` without an index means the current core: torch's C++ knows only core 0."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch
from torch.jit import _builtins
from torch.utils._device import _device_constructors

from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Callable

_engine = torch.autograd.graph._engine_run_backward


def index_of(device: Any = None) -> int:
    """The number of a core: the current one for None and for a device without an index."""
    if device is None:
        return state.current
    if isinstance(device, int):
        index = device
    else:
        index_or_none = torch.device(device).index
        index = state.current if index_or_none is None else index_or_none
    if not 0 <= index < len(state.memory.cores):
        raise RuntimeError(f"Invalid device index {index}: there are {len(state.memory.cores)}")
    return index


def _indexed(value: Any) -> Any:
    if isinstance(value, str) and value == "neuron":
        return torch.device("neuron", state.current)
    if isinstance(value, torch.device) and value.type == "neuron" and value.index is None:
        return torch.device("neuron", state.current)
    return value


def _with_index(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        args = tuple(_indexed(argument) for argument in args)
        return function(*args, **{name: _indexed(value) for name, value in kwargs.items()})

    return run


@functools.cache
def follow() -> None:
    """From the first choice of another core on, read `neuron` as that core, also in torch's C++.

    TorchScript knows functions by identity, so it is told of those that take their place.
    """
    _device_constructors()
    torch.Tensor.to = _with_index(torch.Tensor.to)
    for name in ("tensor", "as_tensor", "asarray"):
        function = getattr(torch, name)
        replaced = _with_index(function)
        if (operator := _builtins._find_builtin(function)) is not None:
            _builtins._register_builtin(replaced, operator)
        setattr(torch, name, replaced)


def _engine_run_backward(*args: Any, **kwargs: Any) -> Any:
    """Run backward in the calling thread: the engine has a thread for core 0 only."""
    with torch.autograd.set_multithreading_enabled(False):
        return _engine(*args, **kwargs)


def install() -> None:
    """Replace what would ask for the thread of a core."""
    torch.autograd.graph._engine_run_backward = _engine_run_backward
    torch.autograd._engine_run_backward = _engine_run_backward
