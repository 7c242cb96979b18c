"""Whether a file runs as one process, or as one of a group, as far as its text says."""

from __future__ import annotations

import re

_SEVERAL = re.compile(
    r"\b(MpDeviceLoader|ParallelLoader|MpModelWrapper|xla_multiprocessing|xmp|spawn|xla_backend"
    r"|init_process_group|DistributedDataParallel|LOCAL_RANK|WORLD_SIZE|xrt_world_size|world_size"
    r"|torchrun|get_ordinal|global_ordinal|local_ordinal|mesh_reduce|rendezvous|all_reduce"
    r"|is_master_ordinal|DistributedSampler|neuronx_distributed)\b|\btorch_xla\.launch\b"
)
_PROGRAM = re.compile(
    r"\b__main__\b|\bxla_device\b|\btorch_xla\.device\b|['\"](xla|neuron)\b|current_accelerator"
)


def several(code: str) -> str | None:
    """The word in a file that says that several processes take part, if there is one."""
    found = _SEVERAL.search(code)
    return found.group() if found else None


def is_program(code: str) -> bool:
    """True when the file chooses the device itself: nothing around it starts the processes."""
    return _PROGRAM.search(code) is not None
