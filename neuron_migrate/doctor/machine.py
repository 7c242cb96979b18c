"""This machine: its system, its Neuron devices and the tools for them."""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import msgspec

from neuron_migrate.doctor.imds import Answer  # noqa: TC001 - a field of a struct

TOOLS = ("neuron-ls", "neuron-top")
TOOLS_FOLDER = Path("opt/aws/neuron/bin")
_RELEASE_FILES = (Path("etc/os-release"), Path("usr/lib/os-release"))
"""The second one is for where the first is missing, says os-release(5)."""


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What can be seen without asking anybody; ``instance`` is None when nobody was asked."""

    system: str
    """``Linux``, ``Darwin``, ``Windows``."""
    architecture: str
    distribution: str = ""
    """NAME and VERSION_ID of /etc/os-release; empty where there is none."""
    devices: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    """Those of the tools that the PATH leads to."""
    hidden_tools: tuple[str, ...] = ()
    """Those that are installed where the PATH does not lead to."""
    instance: Answer | None = None


def look(root: Path = Path("/"), *, instance: Answer | None = None) -> Machine:
    """This machine, whose files are below ``root``."""
    tools = tuple(tool for tool in TOOLS if shutil.which(tool))
    return Machine(
        system=platform.system(),
        architecture=platform.machine(),
        distribution=_distribution(root),
        devices=tuple(sorted(each.name for each in (root / "dev").glob("neuron[0-9]*"))),
        tools=tools,
        hidden_tools=tuple(
            tool for tool in TOOLS if tool not in tools and (root / TOOLS_FOLDER / tool).exists()
        ),
        instance=instance,
    )


def _distribution(root: Path) -> str:
    for file in _RELEASE_FILES:
        try:
            text = (root / file).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        entries = dict(_entry(line) for line in text.splitlines() if "=" in line)
        return " ".join(filter(None, (entries.get("NAME"), entries.get("VERSION_ID"))))
    return ""


def _entry(line: str) -> tuple[str, str]:
    name, _, value = line.partition("=")
    return name.strip(), value.strip().strip("\"'")
