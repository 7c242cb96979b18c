"""Environment markers of requirements, as they come out where TorchNeuron runs."""

from __future__ import annotations

from functools import lru_cache

from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName
from packaging.specifiers import SpecifierSet

_MACHINE = {
    "extra": "",
    "implementation_name": "cpython",
    "os_name": "posix",
    "platform_machine": "x86_64",
    "platform_python_implementation": "CPython",
    "platform_system": "Linux",
    "sys_platform": "linux",
}


@lru_cache(maxsize=256)
def may_hold(marker: str, python: str) -> bool:
    """Whether a marker holds on 64-bit Linux with one of the versions of Python.

    True for what cannot be read, and for an extra that is asked for.
    """
    if not marker:
        return True
    allowed = SpecifierSet(python)
    minors = [f"3.{minor}" for minor in range(8, 30) if allowed.contains(f"3.{minor}")]
    return any(_holds(marker, version) for version in minors)


def _holds(marker: str, python: str) -> bool:
    machine = {**_MACHINE, "python_version": python, "python_full_version": f"{python}.0"}
    try:
        return "extra" in marker or Marker(marker).evaluate(machine)
    except (InvalidMarker, UndefinedComparison, UndefinedEnvironmentName):
        return True
