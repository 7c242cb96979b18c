"""The package `torch_neuronx`, which libraries look for: the names that public sources show.

Programs import it by a package of that name in the directory that `plugin` puts on their path.
"""

from __future__ import annotations

import functools
from itertools import chain, repeat
from typing import TYPE_CHECKING

import torch

from neuron_migrate.rehearse import plugin

# Without autoloading of plugins this import is what brings the device.
if not hasattr(torch, "neuron"):
    plugin.load()

from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.devices import synchronize
from neuron_migrate.rehearse.state import state
from neuron_migrate.rehearse.streams import Stream, stream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.rehearsal import OperatorFact
    from neuron_migrate.rehearse.recording import Operator

__version__ = plugin.torch_neuronx_version()
__all__ = (
    "Stream",
    "clear_op_tracking",
    "get_executed_ops",
    "get_fallback_ops",
    "stream",
    "synchronize",
)


def get_fallback_ops() -> list[str]:
    """The operators that public sources say run on the CPU, one name for every call.

    Of most operators nothing is known: that one is not listed says nothing.
    """
    return _names(operator for operator in state.recorder.tracked() if _falls_back(operator))


def get_executed_ops() -> list[str]:
    """The other operators that ran since the tracking was cleared, one name for every call."""
    return _names(operator for operator in state.recorder.tracked() if not _falls_back(operator))


def clear_op_tracking() -> None:
    """Begin to track anew; the recording keeps what was."""
    state.recorder.track()


def _names(operators: Iterable[Operator]) -> list[str]:
    return list(
        chain.from_iterable(
            repeat(operator.name.partition(".")[0], operator.count) for operator in operators
        )
    )


def _falls_back(operator: Operator) -> bool:
    name = operator.name.partition(".")[0]
    dtypes = [operand.dtype for operand in operator.operands]
    said = (fact.support(name, dtypes, bool(operator.graph)) for fact in _facts())
    return next((each for each in said if each != "unknown"), "unknown") == "falls_back"


@functools.cache
def _facts() -> tuple[OperatorFact, ...]:
    from neuron_migrate.catalog import rehearsal

    return rehearsal.load().operators


def __getattr__(name: str) -> object:
    """Say what is missing, and note it: a program may only ask whether a name is there."""
    message = f"the simulated torch_neuronx has no {name!r}: a rehearsal shows it on hardware only"
    if not name.startswith("_"):
        state.recorder.note(message, locate())
    raise AttributeError(message)
