"""Moving a module keeps its parameters the objects they were, as on CUDA.

torch does that for the devices it ships, and makes new parameters for one that registers itself
(https://github.com/pytorch/pytorch/issues/116255): tied weights come apart, and an optimizer made
before the move keeps the old ones. Whether TorchNeuron prevents it is not public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Callable

TIED = (
    "Modules share a parameter, and still did after the move to the device. torch keeps that for "
    "CUDA, not for every device that registers itself; whether TorchNeuron keeps it is not public. "
    "Check `a.weight is b.weight` after `.to()` on hardware."
)

GIVEN = (
    "`.data =` gave a tensor of the host memory of the device. torch allows that for CUDA, and not "
    "for a device that registers itself; whether TorchNeuron allows it is not public. Move the "
    "module with `.to()` first (`fully_shard` of a module on the CPU does this too)."
)

_data: Any = torch._C.TensorBase.data
_apply = torch.nn.Module._apply
_moved: set[int] = set()


def apply(
    self: torch.nn.Module, fn: Callable[[torch.Tensor], Any], recurse: bool = True
) -> torch.nn.Module:
    """`Module._apply`, which `.to()` and its kin call on every module of a tree."""
    outermost = not _moved
    before = {name: value for name, value in self._parameters.items() if value is not None}
    if outermost:
        _moved.add(0)
    try:
        _apply(self, fn, recurse)
        for name, parameter in before.items():
            _keep(self, name, parameter)
    finally:
        if outermost:
            _moved.clear()
    return self


def _keep(module: torch.nn.Module, name: str, parameter: torch.nn.Parameter) -> None:
    moved = module._parameters[name]
    if moved is parameter:
        if id(parameter) in _moved:
            state.recorder.note(TIED, locate())
        return
    gradient, parameter.grad = parameter.grad, None
    moved.grad, of_moved = None, moved.grad
    try:
        torch.utils.swap_tensors(parameter, moved)
    except RuntimeError:
        parameter.grad, moved.grad = gradient, of_moved
        return
    parameter.grad = of_moved
    module._parameters[name] = parameter
    _moved.add(id(parameter))


def set_data(self: torch.Tensor, value: torch.Tensor) -> None:
    """`tensor.data = value`, also from the host to the device, which `fully_shard` does."""
    if value.device.type != "neuron" or self.device.type == "neuron":
        _data.__set__(self, value)
        return
    state.recorder.note(GIVEN, locate())
    moved = value.detach()
    if isinstance(self, torch.nn.Parameter):
        moved = torch.nn.Parameter(moved, requires_grad=self.requires_grad)
    torch.utils.swap_tensors(self, moved)


def install() -> None:
    """Replace what `.to()` and `.data =` call."""
    torch.nn.Module._apply = apply
    torch.Tensor.data = property(_data.__get__, set_data)
