"""`torch.compile` without a backend: on a Neuron device that is `neuron`, as documented.

https://awsdocs-neuron.readthedocs-hosted.com/en/latest/torch/compile/reference-torch-compile.html
"""

from __future__ import annotations

import functools
from typing import Any

import torch

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.state import state

INDUCTOR = "Inductor has no code for Trainium: the backend is `neuron` (NM201)"

_compile = torch.compile


@functools.wraps(_compile)
def compile_(*args: Any, backend: Any = None, **kwargs: Any) -> Any:
    """`torch.compile` with the backend that TorchNeuron chooses."""
    if backend == "inductor":
        place = locate()
        state.recorder.compilation("inductor", place, place, INDUCTOR)
    return _compile(*args, backend=_chosen() if backend is None else backend, **kwargs)


def _chosen() -> Any:
    """What the program set as its default, from torch 2.13 on; else the device's own."""
    get = getattr(torch.compiler, "get_default_backend", None)
    chosen = get() if get is not None else "inductor"
    return "neuron" if chosen == "inductor" else chosen


def install() -> None:
    """Take the place of `torch.compile`."""
    torch.compile = compile_
