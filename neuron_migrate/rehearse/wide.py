"""float64 on the device: stored in 64 bits, computed in 32.

TorchNeuron casts to 32 bits, computes and casts back (rules NM611). Whole numbers stay as they
are: what becomes of one beyond 32 bits is not public, so their use is recorded only.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

MOVES = frozenset({"aten::copy_", "aten::cat", "aten::index_select", "aten::set_.source_Tensor"})
"""Operators that compute nothing."""


def narrow(value: Any, written: tuple[Tensor, ...]) -> Any:
    """An operand as 32-bit arithmetic sees it; what the operator writes to stays itself."""
    if isinstance(value, Tensor):
        if value.dtype != torch.float64 or any(value is target for target in written):
            return value
        return value.float().double()
    if isinstance(value, list):
        return [narrow(item, written) for item in value]
    return value


def round_(result: Any) -> None:
    """Take from a result what 32 bits do not hold."""
    if isinstance(result, Tensor):
        if result.dtype == torch.float64:
            result.copy_(result.float())
    elif isinstance(result, (list, tuple)):
        for item in result:
            round_(item)
