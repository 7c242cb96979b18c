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


def install() -> None:
    """Replace what `.to()` calls."""
    torch.nn.Module._apply = apply
