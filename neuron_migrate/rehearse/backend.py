"""Makes `neuron` a device of torch in this process."""

from __future__ import annotations

import os
import sys

import torch

from neuron_migrate.rehearse import (
    accelerator,
    attention,
    autocast,
    cells,
    collectives,
    cores,
    defaults,
    devices,
    dispatch,
    generators,
    modules,
    pinning,
    ranks,
    sharding,
    sparse,
    special,
    storages,
    streams,
)
from neuron_migrate.rehearse.state import DEFAULT_CORES, state

DEVICE_KEY = "PrivateUse1"
RUN_AS_A_WHOLE = ("aten::convolution", "aten::convolution_backward")
"""Operators that torch would take apart by asking which device it is on."""

_libraries: list[torch.library.Library] = []


class Hooks(torch._C._acc.PrivateUse1Hooks):
    """What torch's C++ asks of a device."""

    def is_available(self) -> bool:
        """There is always a core."""
        return True

    def has_primary_context(self, dev_id: int) -> bool:
        """Cores need no setting up."""
        return True

    def is_built(self) -> bool:
        """The simulation is there."""
        return True


def visible_cores(wanted: int | None) -> int:
    """The number of logical cores: what is asked for, what the runtime's variables say, or four."""
    if wanted is not None:
        return wanted
    count = os.environ.get("NEURON_RT_NUM_CORES", "")
    return int(count) if count.isdigit() else DEFAULT_CORES


def install(wanted_cores: int | None = None) -> None:
    """Register the device; a second call changes nothing."""
    if _libraries:
        return
    state.resize(visible_cores(wanted_cores))
    module = devices.build()
    sys.modules["torch.neuron"] = module
    torch.utils.backend_registration._setup_privateuseone_for_python_backend(
        "neuron", backend_module=module, hook=Hooks()
    )
    _register_kernels()
    for part in (
        accelerator, cores, defaults, generators, modules, sharding, storages, streams,
    ):  # fmt: skip
        part.install()
    if (library := collectives.install()) is not None:
        _libraries.append(library)
    ranks.begin_process()


def _register_kernels() -> None:
    anything = torch.library.Library("_", "IMPL")
    anything.fallback(dispatch.fallback, DEVICE_KEY)
    aten = torch.library.Library("aten", "IMPL")
    _libraries.extend((anything, aten))
    autocast.install(anything, aten)
    sparse.install(anything)
    for part in (attention, cells, pinning):
        part.install(aten)
    for name, special_kernel in special.KERNELS.items():
        aten.impl(name, special_kernel, DEVICE_KEY)
    known = torch._C._dispatch_get_registrations_for_dispatch_key("CPU")
    for name in (*known, *RUN_AS_A_WHOLE):
        if name.startswith("aten::") and name not in special.KERNELS:
            overload = dispatch.overload_of(name)
            of_sizes = name in dispatch.IN_PLACE_VIEWS
            make = dispatch.view_kernel if of_sizes else dispatch.kernel
            aten.impl(name, make(overload), DEVICE_KEY)
