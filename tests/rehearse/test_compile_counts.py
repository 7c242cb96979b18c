"""How often a program compiles, against counts made by hand."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.rehearse.recording import Recording
    from tests.rehearse.conftest import Run

START = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)
    def forward(self, x):
        return self.second(self.first(x).relu())

def numbers(*size):
    return torch.rand(size).to("neuron")

def train(model, rows):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, foreach=False)
    for n in rows:
        optimizer.zero_grad()
        F.mse_loss(model(numbers(n, 4)), numbers(n, 2)).backward()
        optimizer.step()
"""


def eager(recording: Recording, *functions: str) -> int:
    """Different operators and operands outside compiled regions, in these functions."""
    return len(
        {
            (operator.name, operator.operands)
            for operator in recording.operators
            if not operator.graph and (not functions or operator.line.function in functions)
        }
    )


def graphs(recording: Recording) -> dict[str, dict[str, int]]:
    """The compiled graphs of each function by kind."""
    counts: dict[str, Counter[str]] = {}
    for graph in recording.graphs:
        assert graph.traces == 1
        counts.setdefault(graph.region.function.split(".")[0], Counter())[graph.kind] += 1
    return {function: dict(kinds) for function, kinds in counts.items()}


EAGER = """
@torch.no_grad()
def generate(cache, token):
    for _ in range(10):
        cache = torch.cat([cache, token], 1)
        token = torch.softmax(token @ cache.mT, -1) @ cache

train(MLP().to("neuron"), [3, 5, 7, 5, 3])
generate(numbers(1, 3, 16), numbers(1, 1, 16))
"""


def test_eager_mode(rehearse: Callable[..., Run]) -> None:
    """A length takes 11 graphs of a two-layer network, however often it comes.

    Forward: addmm, relu, addmm, mse_loss. Backward: mse_loss_backward; the second layer's weight,
    bias and input (mm, sum, mm); threshold_backward; the first layer's weight and bias (mm, sum).
    Whatever the length: the gradient of the loss (fill_), and SGD's add_ for four parameters.

    Generating takes cat, bmm, softmax and bmm for each of ten sizes of the cache.
    """
    _, (recording,) = rehearse(START + EAGER)
    assert eager(recording, "forward", "train") == 3 * 11 + 1 + 4
    assert eager(recording, "generate") == 10 * 4
    assert not recording.graphs


COMPILED = """
def compiled(function):
    return torch.compile(function, backend="neuron", dynamic=False)

class Unpadded(MLP):
    def forward(self, x):
        return super().forward(x)

class Padded(MLP):
    def forward(self, x):
        return super().forward(x)

class Bucketed(MLP):
    def forward(self, x):
        return super().forward(x)

class LastBatch(MLP):
    def forward(self, x):
        return super().forward(x)

class DropLast(MLP):
    def forward(self, x):
        return super().forward(x)

def batches(model, **options):
    for x, in DataLoader(TensorDataset(torch.rand(10, 4)), batch_size=4, **options):
        model(x.to("neuron")).sum().backward()

LENGTHS = [3, 17, 5, 9, 3, 20, 17, 3]
train(compiled(Unpadded().to("neuron")), LENGTHS)
train(compiled(Padded().to("neuron")), [32 for _ in LENGTHS])
train(compiled(Bucketed().to("neuron")), [-(-length // 8) * 8 for length in LENGTHS])
batches(compiled(LastBatch().to("neuron")))
batches(compiled(DropLast().to("neuron")), drop_last=True)

@compiled
def decode(cache, token):
    cache = torch.cat([cache, token], 1)
    return cache, torch.softmax(token @ cache.mT, -1) @ cache

@torch.no_grad()
def generate(cache, token):
    for _ in range(10):
        cache, token = decode(cache, token)

generate(numbers(1, 3, 16), numbers(1, 1, 16))

@compiled
def static(cache, token, position):
    cache = cache.index_copy(1, position, token)
    return cache, torch.softmax(token @ cache.mT, -1) @ cache

cache, token = numbers(1, 16, 16), numbers(1, 1, 16)
for step in range(10):
    cache, token = static(cache, token, torch.tensor([step], device="neuron"))

@compiled
def same(x):
    return x + 1

for _ in range(2):
    same(numbers(3))
    same(numbers(3).bfloat16())
    same(numbers(3, 1))
"""


def test_compiled_regions(rehearse: Callable[..., Run]) -> None:
    """One graph for each signature, and where there are gradients one more for its backward."""
    done, (recording,) = rehearse(START + COMPILED)
    assert done.returncode == 0, done.stderr
    assert graphs(recording) == {
        "Unpadded": {"forward": 5, "backward": 5},
        "Padded": {"forward": 1, "backward": 1},
        "Bucketed": {"forward": 3, "backward": 3},
        "LastBatch": {"forward": 2, "backward": 2},
        "DropLast": {"forward": 1, "backward": 1},
        "decode": {"inference": 8},
        "static": {"inference": 1},
        "same": {"inference": 3},
    }
    calls = Counter[tuple[str, str]]()
    for graph in recording.graphs:
        calls[graph.region.function.split(".")[0], graph.kind] += graph.calls
    assert calls["Unpadded", "forward"] == calls["Unpadded", "backward"] == 8
    assert (calls["DropLast", "forward"], calls["LastBatch", "forward"]) == (2, 3)
    # After eight graphs the cache's ninth and tenth length run eagerly, at four operators each.
    assert calls["decode", "inference"] == 8
    assert eager(recording, "decode") == 2 * 4
    (limit,) = (event for event in recording.compilations if event.kind == "limit")
    assert limit.line.function == "decode"
    assert limit.reason.startswith("recompile_limit (8) reached: tensor 'cache' size mismatch")
