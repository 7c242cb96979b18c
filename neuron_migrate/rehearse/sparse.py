"""Sparse tensors: no public source shows them on Neuron (rule NM945), so none is simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    import torch

KEYS = ("SparsePrivateUse1", "SparseCsrPrivateUse1")
REFUSAL = (
    "Sparse tensors are not simulated: no public source shows that Neuron has them (see "
    "`neuron-migrate explain NM945`). Use dense tensors with a mask, or try it on hardware."
)


def refuse(*_: Any, **__: Any) -> NoReturn:
    """Raise what says why, in place of the list of the dispatcher's kernels."""
    raise NotImplementedError(REFUSAL)


def install(anything: torch.library.Library) -> None:
    """Answer every operator that makes or takes one."""
    for key in KEYS:
        anything.fallback(refuse, key)
