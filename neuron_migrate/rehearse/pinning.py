"""Pinned memory: torch asks the accelerator's hooks, which cannot be written in Python."""

from __future__ import annotations

import functools
import warnings
from typing import Any

import torch

PINNED = "_pinned_for_neuron"


def pin_memory(tensor: torch.Tensor, device: Any = None) -> torch.Tensor:
    """A copy that says that it is pinned."""
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        pinned = tensor.clone(memory_format=torch.preserve_format)
        setattr(pinned.untyped_storage(), PINNED, True)
        return pinned


def is_pinned(tensor: torch.Tensor, device: Any = None) -> bool:
    """Whether a tensor stands over a copy that `pin_memory` made."""
    return hasattr(tensor.untyped_storage(), PINNED)


def empty_strided(
    size: list[int], stride: list[int], *, dtype: Any = None, layout: Any = None,
    device: Any = None, pin_memory: bool | None = None,
) -> torch.Tensor:  # fmt: skip
    """Uninitialised memory of the host, pinned or not."""
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        span = 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
        flat = torch.empty([0 if 0 in size else span], dtype=dtype, layout=layout, device=device)
        if pin_memory:
            setattr(flat.untyped_storage(), PINNED, True)
        return flat.as_strided(size, stride)


@functools.cache
def allow_allocations() -> torch.library.Library:
    """From here on C++ may ask for pinned memory: slower, and only DDP's unused parameters do."""
    library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"[\s\S]*Overriding a previously registered")
        library.impl("empty_strided", empty_strided, "CPU")
    return library


def install(library: torch.library.Library) -> None:
    """Answer for tensors of the host."""
    library.impl("_pin_memory", pin_memory, "CPU")
    library.impl("is_pinned", is_pinned, "CPU")
