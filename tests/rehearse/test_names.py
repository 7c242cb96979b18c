"""`torch.neuron` has here what the catalog writes into programs, and nothing that nobody has seen.

A name that the simulation lacks would fail a program that the real device runs; one that only the
simulation has would let a program pass that the real device fails.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.rehearse.conftest import Run

RULES = Path(__file__).parents[2] / "rules"
NAME = re.compile(r"\btorch\.neuron\.([A-Za-z]\w*)")
ASKED_BY_TORCH = {
    "Event", "current_stream", "device", "get_amp_supported_dtype", "is_initialized"
}  # fmt: skip
"""What torch itself calls on the module of a device that registers itself, FSDP2 included."""


def written(value: Any, key: str = "") -> Iterator[str]:
    """The texts that rules write into programs for the target neuron."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from written(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from written(item, key)
    elif isinstance(value, str) and key == "neuron":
        yield value


@pytest.fixture(scope="module")
def texts() -> dict[Path, str]:
    return {path: path.read_text() for path in RULES.glob("*/*.toml")}


@pytest.fixture
def simulated(rehearse: Callable[..., Run]) -> set[str]:
    done, _ = rehearse("import torch; print(*(n for n in vars(torch.neuron) if n[0] != '_'))")
    return set(done.stdout.split())


def test_what_rules_write_is_there(simulated: set[str], texts: dict[Path, str]) -> None:
    names = {
        (name, path.name)
        for path, text in texts.items()
        for part in written(tomllib.loads(text))
        for name in NAME.findall(part)
    }
    assert len(names) > 20
    assert not [entry for entry in sorted(names) if entry[0] not in simulated]


def test_what_is_there_is_in_the_catalog(simulated: set[str], texts: dict[Path, str]) -> None:
    shown = {name for text in texts.values() for name in NAME.findall(text)}
    assert simulated - ASKED_BY_TORCH <= shown, sorted(simulated - ASKED_BY_TORCH - shown)
