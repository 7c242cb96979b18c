"""How to get a version that a release of the SDK goes with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from neuron_migrate.engine.texts.versions import series

if TYPE_CHECKING:
    from neuron_migrate.catalog.machine import MachineFacts
    from neuron_migrate.catalog.versions import Release

PLUGIN = "torch-neuronx"


def minor(version: str) -> str:
    """``2.14`` of ``2.14.3.0.1``; empty for what is no version."""
    try:
        return ".".join(map(str, Version(version).release[:2]))
    except InvalidVersion:
        return ""


def install(name: str, release: Release, facts: MachineFacts, *, torch: str = "") -> str:
    """The command that installs a package; the plugin for the installed torch, if there is one."""
    wanted = release.versions(name)
    minors = list(series(release.versions("torch")))
    if name in {"torch", PLUGIN} and minors:
        wanted = f"=={minor(torch) if minor(torch) in minors else minors[-1]}.*"
    if not wanted:
        return ""
    command = f'pip install "{name}{wanted}"'
    if name in facts.index.packages:
        command = f"{command} --extra-index-url {facts.index.address}"
    return command
