"""What public sources say of programs of several processes, where this simulation cannot show it.

Each rank owns the logical core whose index is its LOCAL_RANK.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from neuron_migrate.rehearse import cores
from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch

DEVICE_FIRST = (
    "The device was chosen or used before the process group was made. AWS's example makes the "
    "process group first, Transformers chooses the device first: check the order on hardware "
    "(NM506)."
)
BOUND = (
    "The process group was made with device_id=, which makes DeviceMesh split it; the Neuron "
    "backend does not support that (NM504)."
)
UNNAMED = (
    "The process group does not name the backend `neuron` alone. torch then gives a backend that a "
    "plugin registered no place as the default one, and DistributedDataParallel raises `Could not "
    "find backend type`; whether TorchNeuron prevents it is not public. Write "
    '`init_process_group("neuron")`, or check on hardware.'
)
OTHER_CORE = (
    "This rank's tensors are on neuron:{index}, and its LOCAL_RANK is {rank}. A rank is reported "
    "to own only the core of its LOCAL_RANK: write `neuron` without an index, and check on "
    "hardware."
)
INTEGERS = (
    "Whole numbers are reduced across ranks; Neuron's compiler is documented to reject integer "
    "reductions (NCC_EVRF061, NCC_EVRF063): reduce float32 instead (NM515)."
)
EXCHANGE = (
    "all_to_all between {size} ranks: 4, 8, 16 and multiples of 32 are reported to work; check on "
    "hardware."
)
REDUCTIONS = ("c10d::allreduce", "c10d::reduce", "c10d::_reduce")


def local_rank() -> int | None:
    """The index of this process on its machine, as launchers say it."""
    rank = os.environ.get("LOCAL_RANK", "")
    return int(rank) if rank.isdigit() else None


def begin_process() -> None:
    """Make the rank's own core the current one."""
    rank = local_rank()
    if rank is not None and rank < len(state.memory.cores):
        state.current = rank
        if rank:
            cores.follow()


def begin_group(group: Any, backend: str) -> None:
    """Remember the rank, and note what may be wrong with the group or what came before it."""
    place = locate()
    if state.rank is None:
        state.rank = group.rank()
        if state.chosen or any(core.allocations for core in state.memory.cores):
            state.recorder.note(DEVICE_FIRST, place)
    if group.bound_device_id is not None:
        state.recorder.note(BOUND, place)
    if backend != "neuron":
        state.recorder.note(UNNAMED, place)


def doubts(name: str, tensors: list[torch.Tensor], group: Any) -> Iterator[str]:
    """What may differ on hardware for this collective."""
    rank, index = local_rank(), tensors[0].device.index if tensors else None
    if rank is not None and index is not None and index != rank and group.size() > 1:
        yield OTHER_CORE.format(index=index, rank=rank)
    if name.startswith(REDUCTIONS) and any(not _is_inexact(tensor) for tensor in tensors):
        yield INTEGERS
    if name.startswith("c10d::alltoall") and not _is_exchange_size(group.size()):
        yield EXCHANGE.format(size=group.size())


def _is_inexact(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _is_exchange_size(size: int) -> bool:
    return size in (1, 4, 8, 16) or size % 32 == 0
