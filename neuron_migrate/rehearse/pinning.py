"""Pinned memory: torch asks the accelerator's hooks, which cannot be written in Python."""

from __future__ import annotations

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


def install(library: torch.library.Library) -> None:
    """Answer for tensors of the host."""
    library.impl("_pin_memory", pin_memory, "CPU")
    library.impl("is_pinned", is_pinned, "CPU")
