"""Swaps device tensors for host tensors in the arguments of one operator call, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from neuron_migrate.rehearse.cores import index_of
from neuron_migrate.rehearse.generators import check
from neuron_migrate.rehearse.host import CPU, assign, on_host, place, view
from neuron_migrate.rehearse.sparse import refuse

if TYPE_CHECKING:
    from neuron_migrate.rehearse.plans import Plan


class Operands:
    """The tensors of one call: `pairs` holds each device tensor beside its alias on the host."""

    __slots__ = ("core", "pairs", "plan", "strays", "wide")

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.pairs: list[tuple[Tensor, Tensor]] = []
        self.core = -1
        self.wide = False
        self.strays: list[Tensor] = []

    def lower(self, value: Any) -> Any:
        """A value as the CPU's kernel takes it."""
        if isinstance(value, Tensor):
            return self._lower_tensor(value)
        if isinstance(value, (list, tuple)) and value:
            if isinstance(value[0], (int, float)):
                return value
            return [self.lower(item) for item in value]
        if isinstance(value, torch.device):
            return self._lower_device(value)
        if isinstance(value, torch._C.Generator):
            check(value)
        return value

    def _lower_tensor(self, tensor: Tensor) -> Tensor:
        device = tensor.device
        if device.type != "neuron":
            if tensor.dim() or device.type != "cpu":
                self.strays.append(tensor)
            return tensor
        if self.core < 0:
            self.core = device.index
        elif self.core != device.index and not self.plan.mixes:
            raise _different(f"neuron:{self.core}", device)
        alias = on_host(tensor)
        if alias.dtype is torch.float64:
            self.wide = True
        self.pairs.append((tensor, alias))
        return alias

    def _lower_device(self, device: torch.device) -> torch.device:
        if device.type != "neuron":
            return device
        if self.core < 0:
            self.core = index_of(device)
        return CPU

    def check(self) -> None:
        """Raise what torch raises for tensors on different devices."""
        if self.strays and self.pairs and not self.plan.mixes:
            raise _different(f"neuron:{self.core}", self.strays[0].device)

    def raise_results(self, result: Any) -> Any:
        """What the program gets for what the CPU's kernel returned."""
        if isinstance(result, Tensor):
            return self._raise_tensor(result)
        if isinstance(result, (list, tuple)):
            return type(result)([self.raise_results(item) for item in result])
        return result

    def _raise_tensor(self, result: Tensor) -> Tensor:
        plan = self.plan
        if result.layout is not torch.strided:
            refuse()
        if plan.written or plan.views:
            for tensor, alias in self.pairs:
                if alias is result:
                    return tensor
            if plan.views and (source := self._source(result)) is not None:
                return view(source, result)
        return place(result, self.core)

    def _source(self, result: Tensor) -> Tensor | None:
        address = result.untyped_storage().data_ptr()
        for tensor, alias in self.pairs:
            if alias.untyped_storage().data_ptr() == address and tensor.dtype == result.dtype:
                return tensor
        return None

    def update(self) -> None:
        """Take over new sizes of tensors that the operator wrote to and resized."""
        for tensor, alias in self.pairs:
            if tensor.shape != alias.shape or tensor.stride() != alias.stride():
                fresh = place(alias, self.core)
                assign(tensor, fresh.untyped_storage(), 0, alias.size(), alias.stride())


def _different(first: str, second: object) -> RuntimeError:
    return RuntimeError(
        "Expected all tensors to be on the same device, "
        f"but found at least two devices, {first} and {second}!"
    )
