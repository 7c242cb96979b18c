"""Operators that are about memory rather than arithmetic."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.dispatch import fallback, is_parameter
from neuron_migrate.rehearse.host import CPU_KEYS, assign, on_host, resize_storage
from neuron_migrate.rehearse.state import state

_copy = torch.ops.aten.copy_.default


def copy_(target: Tensor, source: Tensor, non_blocking: bool = False) -> Tensor:
    """Copy, also between host and device: that is a transfer; on the device it is an operator."""
    kinds = (source.device.type, target.device.type)
    if kinds == ("neuron", "neuron"):
        if source.device.index == target.device.index:
            fallback(_copy, target, source, non_blocking)
            return target
        direction = "between_devices"
    else:
        direction = "to_device" if kinds[1] == "neuron" else "to_host"
    state.place = locate()
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        _copy(_here(target), _here(source))
    if is_parameter(source):
        state.recorder.parameter(tuple(source.shape))
    state.recorder.transfer(direction, source.numel() * source.element_size(), state.place)
    return target


def to_copy(
    tensor: Tensor, *, dtype: Any = None, layout: Any = None, device: Any = None,
    pin_memory: Any = None, non_blocking: bool = False, memory_format: Any = None,
) -> Tensor:  # fmt: skip
    """Copy to another device or type; torch's own asks for pinned memory to be non-blocking."""
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        made = torch.empty_like(
            tensor, dtype=dtype, layout=layout, device=device,
            memory_format=memory_format or torch.preserve_format,
        )  # fmt: skip
        return made.copy_(tensor)


def _here(tensor: Tensor) -> Tensor:
    return on_host(tensor) if tensor.device.type == "neuron" else tensor


def resize_(tensor: Tensor, size: list[int], *, memory_format: Any = None) -> Tensor:
    """Resize in place; the memory grows when it has to, and views of it see that."""
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        like = torch.empty(size, dtype=torch.uint8, device="meta")
        if memory_format is not None:
            like = like.contiguous(memory_format=memory_format)
        storage = tensor.untyped_storage()
        needed = (tensor.storage_offset() + like.numel()) * tensor.element_size()
        if needed > storage.nbytes():
            resize_storage(storage, needed)
        return assign(tensor, storage, tensor.storage_offset(), size, like.stride())


def set_storage(tensor: Tensor, storage: torch.UntypedStorage) -> Tensor:
    """Let a tensor stand over the whole of a storage."""
    return assign(tensor, storage, 0, [storage.nbytes() // tensor.element_size()], [1])


def set_strided(
    tensor: Tensor, storage: torch.UntypedStorage, offset: int, size: list[int], stride: Any = ()
) -> Tensor:
    """Let a tensor stand over a part of a storage."""
    if len(stride) != len(size):
        stride = torch.empty(size, device="meta").stride()
    return assign(tensor, storage, offset, size, stride)


def set_tensor(tensor: Tensor, source: Tensor) -> Tensor:
    """Let a tensor share another's memory and sizes."""
    storage = source.untyped_storage()
    return assign(tensor, storage, source.storage_offset(), source.size(), source.stride())


def set_empty(tensor: Tensor) -> Tensor:
    """Let a tensor stand over nothing."""
    empty = torch.empty(0, dtype=tensor.dtype, device=tensor.device)
    return assign(tensor, empty.untyped_storage(), 0, [0], [1])


def has_same_storage_numel(tensor: Tensor, other: Tensor) -> bool:
    """Whether two tensors stand over storages of the same number of elements."""
    return tensor.untyped_storage().nbytes() == other.untyped_storage().nbytes()


def record_stream(tensor: Tensor, stream: Any) -> None:
    """Nothing: memory of the simulation is not reused before it is free."""


def view_dtype(overload: Any) -> Any:
    """Views of complex numbers as pairs and back, of the device tensor itself."""
    return lambda tensor: overload.redispatch(CPU_KEYS, tensor)


KERNELS = {
    "aten::copy_": copy_,
    "aten::_to_copy": to_copy,
    "aten::resize_": resize_,
    "aten::set_.source_Storage": set_storage,
    "aten::set_.source_Storage_storage_offset": set_strided,
    "aten::set_.source_Tensor": set_tensor,
    "aten::set_": set_empty,
    "aten::_has_same_storage_numel": has_same_storage_numel,
    "aten::record_stream": record_stream,
    "aten::view_as_real": view_dtype(torch.ops.aten.view_as_real.default),
    "aten::view_as_complex": view_dtype(torch.ops.aten.view_as_complex.default),
}
