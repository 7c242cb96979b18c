"""The stand-in for the package `torch_neuronx`: libraries find it, and it says what it knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rehearse.conftest import Run

FOUND = """
import importlib.util
import os
import subprocess
import sys
from importlib import metadata

assert importlib.util.find_spec("torch_neuronx") is not None
minor = ".".join(metadata.version("torch").split(".")[:2])
assert metadata.version("torch-neuronx") == metadata.version("torch_neuronx")
assert metadata.version("torch-neuronx").startswith(minor)
assert metadata.version("torch-neuronx").endswith("+simulated")
import torch_neuronx
assert torch_neuronx.__version__ == metadata.version("torch-neuronx")
torch_neuronx.synchronize()
with torch_neuronx.stream(torch_neuronx.Stream("neuron:1")):
    pass
explicit = "import torch_neuronx, torch; print(torch.ones(2, device='neuron').sum().item())"
for autoload in "01":
    environment = {**os.environ, "TORCH_DEVICE_BACKEND_AUTOLOAD": autoload}
    done = subprocess.run(
        [sys.executable, "-c", explicit], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "2.0\\n", done.stderr
"""

TRACKED = """
import torch
import torch_neuronx

x = torch.ones(3, device="neuron")
x + x
torch_neuronx.clear_op_tracking()
assert torch_neuronx.get_executed_ops() == torch_neuronx.get_fallback_ops() == []
for _ in range(2):
    x + x
torch.atan2(x, x)
x.long().topk(1)
x.topk(1)
torch.neuron.synchronize()
assert sorted(torch_neuronx.get_fallback_ops()) == ["aten::atan2", "aten::topk"]
executed = torch_neuronx.get_executed_ops()
assert executed.count("aten::add") == 2 and executed.count("aten::topk") == 1
torch_neuronx.clear_op_tracking()
assert torch_neuronx.get_fallback_ops() == []
"""

MISSING = """
import torch_neuronx

assert not hasattr(torch_neuronx, "trace")
for statement, text in (
    ("from torch_neuronx import nki_op", "nki_op"),
    ("from torch_neuronx.profiling import NeuronProfiler", "a rehearsal has no chip to profile"),
):
    try:
        exec(statement)
    except ImportError as error:
        assert text in str(error), error
    else:
        raise AssertionError(statement)
"""


def test_libraries_find_it(rehearse: Callable[..., Run]) -> None:
    done, _ = rehearse(FOUND)
    assert done.returncode == 0, done.stderr


def test_operators_that_are_said_to_fall_back(rehearse: Callable[..., Run]) -> None:
    done, recordings = rehearse(TRACKED)
    assert done.returncode == 0, done.stderr
    added = [each for each in recordings[0].operators if each.name == "aten::add.Tensor"]
    assert sum(each.count for each in added) == 3


def test_what_is_not_simulated_is_said(rehearse: Callable[..., Run]) -> None:
    done, recordings = rehearse(MISSING)
    assert done.returncode == 0, done.stderr
    notes = [note.text for note in recordings[0].notes]
    assert any("'trace'" in text for text in notes)
    assert any("'nki_op'" in text for text in notes)
