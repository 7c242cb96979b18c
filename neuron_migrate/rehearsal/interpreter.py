"""The Python that a program is rehearsed with: it has to have torch, and msgspec to record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from neuron_migrate.doctor import packages
from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from neuron_migrate.doctor.packages import Environment

OLDEST, NEWEST = (2, 11), (2, 15)
"""The releases of torch that the simulated device is made for."""


def interpreter(python: str | None) -> str:
    """The path of the interpreter that is named, else of the one the project would use.

    Raises UsageError when it cannot be asked, or lacks what a rehearsal needs.
    """
    environment = packages.look(python)
    installed: dict[str, str] = {
        canonicalize_name(each.name): each.version for each in environment.distributions
    }
    _check_torch(environment, installed.get("torch"))
    if "msgspec" not in installed:
        raise UsageError(
            f"{environment.executable} has no msgspec, in which a rehearsal is recorded:"
            f" {environment.executable} -m pip install msgspec"
        )
    return environment.executable


def _check_torch(environment: Environment, version: str | None) -> None:
    if version is None:
        raise UsageError(
            f"{environment.executable} has no torch, on which a program is rehearsed:"
            ' pip install "neuron-migrate[rehearse]", or name the interpreter of the project'
            " with --python"
        )
    try:
        fits = OLDEST <= Version(version).release[:2] <= NEWEST
    except InvalidVersion:
        fits = False
    if not fits:
        known = " to ".join(".".join(map(str, each)) for each in (OLDEST, NEWEST))
        raise UsageError(
            f"{environment.executable} has torch {version}; a rehearsal needs torch {known}"
        )
