"""Random numbers of sharded tensors: torch steps through the state of a CUDA generator for them.

The state of a Neuron generator is not public, so each rank draws as it does on the CPU.
"""

from __future__ import annotations

import contextlib
import importlib
from typing import Any

import torch.distributed as dist

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.state import state

RANDOM = (
    "Random numbers of a sharded tensor: torch offsets the generator's state of each rank as it "
    "does on CUDA; how a Neuron generator takes that is not public. Here each rank draws from its "
    "own seed, as on the CPU."
)
RANDOM_MODULE = "torch.distributed.tensor._random"


class OwnNumbers:
    """Stands for torch's tracker of generators: nothing is offset."""

    distribute_region_enabled = False

    def _distribute_region(self, *_: Any, **__: Any) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()


def has_offsets(mesh: Any) -> bool:
    """Whether ranks of a mesh step through one generator; torch asks before it draws."""
    if mesh.device_type == "neuron":
        state.recorder.note(RANDOM, locate())
        random: Any = importlib.import_module(RANDOM_MODULE)
        random._rng_tracker = random._rng_tracker or OwnNumbers()
        return False
    return bool(_has_offsets(mesh))


def begin_mesh(self: Any, *args: Any, **kwargs: Any) -> None:
    """Sharded tensors need a mesh: their modules, slow to import, are replaced with the first."""
    global _has_offsets
    _begin_mesh(self, *args, **kwargs)
    random: Any = importlib.import_module(RANDOM_MODULE)
    if random.is_rng_supported_mesh is not has_offsets:
        _has_offsets = random.is_rng_supported_mesh
        random.is_rng_supported_mesh = has_offsets
        for user in ("torch.distributed.tensor._dispatch", "torch.distributed.tensor._api"):
            module: Any = importlib.import_module(user)
            module.is_rng_supported_mesh = has_offsets


_has_offsets: Any = None
_begin_mesh: Any = None


def install() -> None:
    """Follow the making of meshes."""
    global _begin_mesh
    if dist.is_available():
        _begin_mesh = dist.DeviceMesh.__init__
        dist.DeviceMesh.__init__ = begin_mesh
