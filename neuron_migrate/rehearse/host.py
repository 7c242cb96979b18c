"""Device tensors are ordinary tensors of torch's PrivateUse1 device over memory of the host.

DLPack gives them: a capsule over a CPU tensor says in its header whose memory it is. No C++ is
needed, and the type stays `torch.Tensor`, so that views, autograd, optimizers and subclasses work
as they do on any device.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import torch

from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Sequence

EXTENSION_DEVICE = 12
"""kDLExtDev, which torch reads as PrivateUse1."""
DEVICE_OFFSET = 8
"""DLTensor begins with a pointer; its device follows as two 32-bit integers: type and index."""

CPU_KEYS = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
CPU = torch.device("cpu")
_as_strided = torch.ops.aten.as_strided.default
_set = torch.ops.aten.set_.source_Storage_storage_offset
_empty = torch.ops.aten.empty.memory_format
_construct = torch._C._construct_storage_from_data_pointer
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _claim(tensor: torch.Tensor, index: int) -> torch.Tensor:
    capsule = torch._C._to_dlpack(tensor)
    header = _pointer(capsule, b"dltensor")
    device = (ctypes.c_int32 * 2).from_address(header + DEVICE_OFFSET)
    device[0], device[1] = EXTENSION_DEVICE, index
    claimed: torch.Tensor = torch._C._from_dlpack(capsule)
    return claimed


class Allocation:
    """The host memory behind a device storage; it counts on its core as long as it lives."""

    __slots__ = ("core", "size", "storage")

    def __init__(self, storage: torch.UntypedStorage, index: int) -> None:
        self.storage = storage
        self.size = storage.nbytes()
        self.core = state.memory.cores[index]
        self.core.allocate(self.size, state.place)

    def __del__(self) -> None:
        self.core.free(self.size)


def place(tensor: torch.Tensor, index: int) -> torch.Tensor:
    """The device tensor that takes over a fresh CPU tensor, its memory, sizes and strides."""
    placed = _claim(tensor, index)
    placed.untyped_storage()._allocation = Allocation(tensor.untyped_storage(), index)
    return placed


def place_bytes(size: int, index: int) -> torch.UntypedStorage:
    """A storage of the device with uninitialised bytes."""
    return place(_empty([size], dtype=torch.uint8), index).untyped_storage()


def host_storage(storage: torch.UntypedStorage) -> torch.UntypedStorage:
    """The CPU storage over the memory of a device storage, also of one that C++ made over it."""
    try:
        held: torch.UntypedStorage = storage._allocation.storage
    except AttributeError:
        held = _construct(storage.data_ptr(), CPU, storage.nbytes())
    return held


def on_host(tensor: torch.Tensor) -> torch.Tensor:
    """A CPU tensor over the memory of a device tensor: writing to one writes to the other."""
    alias = _empty([0], dtype=tensor.dtype, device=CPU)
    held = host_storage(tensor.untyped_storage())
    _set(alias, held, tensor.storage_offset(), tensor.size(), tensor.stride())
    return alias


def resize_storage(storage: torch.UntypedStorage, size: int) -> None:
    """Give a device storage another number of bytes, keeping those that fit."""
    index = storage.device.index
    grown = place_bytes(size, index)
    kept = min(size, storage.nbytes())
    if kept:
        host_storage(grown)[:kept].copy_(host_storage(storage)[:kept])
        storage._swap_data_ptr_(place_bytes(0, index))
    storage._swap_data_ptr_(grown)
    storage._allocation, grown._allocation = grown._allocation, None


def view(tensor: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """The view of a device tensor that has the sizes, strides and offset of a CPU tensor."""
    viewed: torch.Tensor = _as_strided.redispatch(
        CPU_KEYS, tensor, like.size(), like.stride(), like.storage_offset()
    )
    return viewed


def assign(
    tensor: torch.Tensor,
    storage: torch.UntypedStorage,
    offset: int,
    size: Sequence[int],
    stride: Sequence[int],
) -> torch.Tensor:
    """Let a device tensor stand over this device storage from now on."""
    _set.redispatch(CPU_KEYS, tensor, storage, offset, size, stride)
    return tensor
