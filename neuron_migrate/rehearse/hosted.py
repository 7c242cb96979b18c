"""The same program without the device: what it puts on `neuron` or `cuda` stays on the CPU.

`torch.neuron`, `torch.cuda` and `torch.accelerator` answer as if there were a device, so that a
program takes the branches that it takes on one. Regions of torch.compile run uncompiled.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import DeviceContext

from neuron_migrate.rehearse import autocast, backend, generators, of_cuda

if TYPE_CHECKING:
    from collections.abc import Callable

AWAY = ("neuron", "cuda")
CPU = torch.device("cpu")
_NAMING = frozenset({torch.device, torch.get_device_module})
"""Functions that name a device and put nothing on it."""
_autocast = torch.amp.autocast_mode.autocast
_autocast_init = _autocast.__init__
_context_init = DeviceContext.__init__


def is_away(value: object) -> bool:
    """Whether it names a device that is not the CPU."""
    if isinstance(value, str):
        return value.partition(":")[0] in AWAY
    return isinstance(value, torch.device) and value.type in AWAY


def _here(value: object) -> object:
    if is_away(value):
        return CPU
    if isinstance(value, str) and value.startswith("torch.cuda."):
        return value.replace(".cuda", "", 1)
    return value


class Hosted(TorchFunctionMode):
    """Reads every device that torch is given as the CPU."""

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call `func` with the CPU in the place of other devices."""
        if func in _NAMING:
            return func(*args, **(kwargs or {}))
        named = {name: _here(value) for name, value in (kwargs or {}).items()}
        if func is torch.Tensor.cuda:
            return args[0].to(CPU, copy=True)
        if isinstance(named.get("device"), int) and not isinstance(named["device"], bool):
            named["device"] = CPU
        return func(*map(_here, args), **named)


def _begin_autocast(self: Any, device_type: str, dtype: Any = None, *args: Any, **kw: Any) -> None:
    if is_away(device_type):
        dtype = dtype or torch.get_autocast_dtype(device_type)
        device_type = "cpu"
    _autocast_init(self, device_type, dtype, *args, **kw)


def _default_here(self: Any, device: Any) -> None:
    """`with torch.device(…)`, which acts below every other mode."""
    _context_init(self, _here(device))


def _uncompiled(model: Any = None, **options: Any) -> Any:
    if model is None:
        return functools.partial(_uncompiled, **options)
    if isinstance(model, torch.nn.Module):
        return torch._dynamo.eval_frame.OptimizedModule(model, lambda function: function)
    return model


def _location(of: Callable[..., Any]) -> Callable[..., Any]:
    """`torch.load(map_location=…)` asks this for every storage."""

    @functools.wraps(of)
    def restore(storage: Any, location: str) -> Any:
        return of(storage, "cpu" if is_away(location) else location)

    return restore


def _over_gloo(init: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(init)
    def run(backend: Any = None, *args: Any, **kwargs: Any) -> Any:
        kwargs.pop("device_id", None)
        return init("gloo", *args, **kwargs)

    return run


def _without_devices(init: Callable[..., Any]) -> Callable[..., Any]:
    """Modules on the CPU take no `device_ids`."""

    @functools.wraps(init)
    def run(self: Any, module: Any, *args: Any, **kwargs: Any) -> None:
        init(self, module, **{**kwargs, "device_ids": None, "output_device": None})

    return run


def install(cores: int | None = None) -> None:
    """Keep what the program does on the CPU, for the rest of the process."""
    backend.install(cores)
    of_cuda.install()
    generators.AWAY = frozenset(AWAY)
    autocast.install_on_cpu(torch.library.Library("aten", "IMPL"))
    _autocast.__init__ = _begin_autocast
    DeviceContext.__init__ = _default_here
    torch.compile = _uncompiled
    torch.Tensor.neuron = torch.nn.Module.neuron = lambda self, *_, **__: self.to(CPU)
    torch.nn.Module.cuda = lambda self, device=None: self.to(CPU)
    serialization = torch.serialization
    serialization.default_restore_location = _location(serialization.default_restore_location)
    if torch.distributed.is_available():
        torch.distributed.init_process_group = _over_gloo(torch.distributed.init_process_group)
        parallel = torch.nn.parallel.DistributedDataParallel
        parallel.__init__ = _without_devices(parallel.__init__)
    Hosted().__enter__()
