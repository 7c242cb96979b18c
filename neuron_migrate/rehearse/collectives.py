"""The backend `neuron` of torch.distributed: gloo between the memories behind device tensors.

Only the kernels of torch's collectives are replaced, below its process groups: reducers, sharding,
functional collectives and user code reach them by the ways that torch has.
"""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed import distributed_c10d
from torch.nn.parallel import DistributedDataParallel

from neuron_migrate.rehearse import pinning, ranks
from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.dispatch import overload_of
from neuron_migrate.rehearse.host import CPU, on_host
from neuron_migrate.rehearse.state import state

_begin_data_parallel = DistributedDataParallel.__init__
_make_group = distributed_c10d._new_process_group_helper
KEY = "PrivateUse1"
HANDED_ON = frozenset({"c10d::allreduce_", "c10d::allreduce_coalesced_", "c10d::broadcast_"})
"""Collectives from whose future DDP's reducer and its hooks take the resulting tensors."""


class Call:
    """One collective: its tensors, the sum of their bytes on this rank, its process group."""

    def __init__(self) -> None:
        self.pairs: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.group: Any = None

    @property
    def size(self) -> int:
        """Bytes of the tensors that are sent and received."""
        return sum(tensor.numel() * tensor.element_size() for tensor, _ in self.pairs)

    def lower(self, value: Any) -> Any:
        """An argument as gloo takes it."""
        if isinstance(value, torch.Tensor):
            if value.device.type != "neuron":
                raise RuntimeError(f"Collectives of 'neuron' take its tensors, not {value.device}")
            alias = on_host(value)
            self.pairs.append((value, alias))
            return alias
        if isinstance(value, (list, tuple)):
            return [self.lower(item) for item in value]
        if isinstance(value, torch.ScriptObject) and str(value._type()).endswith("ProcessGroup"):
            self.group = dist.ProcessGroup.unbox(value)
            return _on_host(self.group).boxed()
        return value

    def raise_(self, result: Any) -> Any:
        """What the caller gets for what gloo returned."""
        if isinstance(result, torch.Tensor):
            return next((tensor for tensor, alias in self.pairs if alias is result), result)
        if isinstance(result, (list, tuple)):
            return type(result)([self.raise_(item) for item in result])
        return result


def _on_host(group: Any) -> Any:
    """The group with the same backend, which believes that it works on host tensors."""
    twin = dist.ProcessGroup(group.rank(), group.size())
    backend = group._get_backend(torch.device("neuron"))
    twin._register_backend(CPU, dist.ProcessGroup.BackendType.GLOO, backend)
    return twin


def run(overload: Any, *args: Any, **kwargs: Any) -> Any:
    """Run and record a collective."""
    call = Call()
    lowered = [call.lower(argument) for argument in args]
    name = overload.name()
    place = state.place = locate()
    state.recorder.collective(name.removeprefix("c10d::").strip("_"), call.size, place)
    for text in ranks.doubts(name, [tensor for tensor, _ in call.pairs], call.group):
        state.recorder.note(text, place)
    result = overload(*lowered, **kwargs)
    if name in HANDED_ON and state.recorder.lines.here()[1]:
        return _hand_on(call, call.raise_(result))
    return call.raise_(result)


def _hand_on(call: Call, result: Any) -> Any:
    """The result with a work whose future holds device tensors; its own `wait` hides errors."""
    work = result[-1] if isinstance(result, (list, tuple)) else result
    tensors = [tensor for tensor, _ in call.pairs]

    def with_device_tensors(done: Any) -> Any:
        done.wait()
        return tensors

    future = dist.Work.unbox(work).get_future().then(with_device_tensors)
    boxed = torch._C._distributed_c10d._create_work_from_future(future).boxed()
    return (*result[:-1], boxed) if isinstance(result, (list, tuple)) else boxed


def create(options: Any, _: Any) -> Any:
    """The backend of one process group."""
    backend = dist.ProcessGroupGloo(
        options.store, options.group_rank, options.group_size, timeout=options.timeout
    )
    backend._set_sequence_number_for_group()
    return backend


def make_group(*args: Any, **kwargs: Any) -> Any:
    """A process group, as torch makes it, with the backend of the device as its default one."""
    made = _make_group(*args, **kwargs)
    group = made[0]
    if group is not dist.GroupMember.NON_GROUP_MEMBER and _is_on_device(group):
        group._set_default_backend(dist.ProcessGroup.BackendType.CUSTOM)
        ranks.begin_group(group, dist.get_backend(group))
    return made


def begin_data_parallel(self: Any, *args: Any, **kwargs: Any) -> None:
    """DDP's reducer counts the used parameters in pinned memory, where it has to count them."""
    _begin_data_parallel(self, *args, **kwargs)
    if self.find_unused_parameters or self.static_graph:
        pinning.allow_allocations()


def _is_on_device(group: Any) -> bool:
    return any(device.type == "neuron" for device in group._device_types)


def install() -> torch.library.Library | None:
    """Register the backend, where torch was built with collectives; keep what is returned."""
    if not dist.is_available():
        return None
    dist.Backend.register_backend("neuron", create, extended_api=True, devices=["neuron"])
    DistributedDataParallel.__init__ = begin_data_parallel
    distributed_c10d._new_process_group_helper = make_group
    library = torch.library.Library("c10d", "IMPL")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"[\s\S]*Overriding a previously registered")
        for name in torch._C._dispatch_get_registrations_for_dispatch_key(KEY):
            if name.startswith("c10d::"):
                library.impl(name, partial(run, overload_of(name)), KEY)
    return library
