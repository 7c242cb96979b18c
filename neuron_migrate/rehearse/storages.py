"""Storages of the device: what checkpoints, copies and sharding do with them."""

from __future__ import annotations

from typing import Any

import torch
from torch import UntypedStorage as Storage

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.cores import index_of
from neuron_migrate.rehearse.host import host_storage, place_bytes, resize_storage
from neuron_migrate.rehearse.state import state

_new = Storage.__new__
_resize = Storage.resize_
_copy = Storage.copy_


def new(cls: type[Storage], *args: Any, device: Any = None, **kwargs: Any) -> Storage:
    """`torch.UntypedStorage(size, device="neuron")`."""
    if device is None or torch.device(device).type != "neuron":
        return _new(cls, *args, device=device, **kwargs) if device else _new(cls, *args, **kwargs)
    size = args[0] if args else kwargs.get("size", 0)
    state.place = locate()
    return place_bytes(size, index_of(device))


def resize_(self: Storage, size: int) -> Storage:
    """Change the number of bytes, as sharding does to free and to gather parameters."""
    if self.device.type != "neuron":
        return _resize(self, size)
    resize_storage(self, size)
    return self


def copy_(self: Storage, source: Storage, non_blocking: bool = False) -> Storage:
    """Copy bytes, also between host and device: that is a transfer."""
    kinds = (source.device.type, self.device.type)
    if "neuron" in kinds and "meta" not in kinds:
        if kinds != ("neuron", "neuron"):
            direction = "to_device" if kinds[1] == "neuron" else "to_host"
            state.recorder.transfer(direction, source.nbytes(), locate())
        _copy(_here(self), _here(source))
        return self
    _copy(self, source, non_blocking)
    return self


def to_device(self: Storage, device: Any = None, non_blocking: bool = False) -> Storage:
    """`storage.neuron()`: `torch.load(map_location="neuron")` calls it."""
    index = index_of(device)
    if self.device == torch.device("neuron", index):
        return self
    moved = Storage(self.nbytes(), device=torch.device("neuron", index))
    copy_(moved, self)
    return moved


def _here(storage: Storage) -> Storage:
    return host_storage(storage) if storage.device.type == "neuron" else storage


def is_on_device(self: Storage) -> bool:
    """`storage.is_neuron`."""
    return bool(self.device.type == "neuron")


def install() -> None:
    """Give `torch.UntypedStorage` what it lacks for devices without C++."""
    Storage.__new__ = new
    Storage.resize_ = resize_
    Storage.copy_ = copy_
    Storage.neuron = to_device
    Storage.is_neuron = property(is_on_device)
