"""Whether a torch is installed that the simulated device knows."""

from __future__ import annotations

import importlib.metadata

from packaging.version import Version

from neuron_migrate.errors import UsageError

OLDEST, NEWEST = (2, 11), (2, 15)


def require_torch() -> Version:
    """The version of the installed torch; UsageError without one that is known to work."""
    try:
        found = Version(importlib.metadata.version("torch"))
    except importlib.metadata.PackageNotFoundError:
        raise UsageError(
            "rehearse runs the program on PyTorch, which is not installed here: "
            "pip install 'neuron-migrate[rehearse]'"
        ) from None
    if not OLDEST <= found.release[:2] <= NEWEST:
        raise UsageError(
            f"rehearse knows PyTorch 2.11 to 2.15, and {found} is installed: "
            "pip install 'neuron-migrate[rehearse]'"
        )
    return found
