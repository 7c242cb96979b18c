"""`torch.compile` on the device: the numbers it gives, what it refuses, what is recorded of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.rehearse.recording import Recording
    from tests.rehearse.conftest import Run

START = """
import copy, logging
import torch
from torch import nn
from torch.nn import functional as F

def numbers(*size):
    return torch.rand(size).to("neuron")
"""


def events(recording: Recording, kind: str) -> set[tuple[str, int, str]]:
    """What happened while compiling: function, line number, the first words of the reason."""
    return {
        (event.region.function, event.line.number, " ".join(event.reason.split()[:3]))
        for event in recording.compilations
        if event.kind == kind
    }


EQUAL = """
class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=True)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = self.norm(self.conv(x)).relu().flatten(2).transpose(1, 2)
        return self.head(F.dropout(self.block(x).mean(1), 0.1))

def compiled(function):
    return torch.compile(function, backend="neuron", dynamic=False)

def train(model, device, call=compiled, update=lambda step: step, autocast=False):
    torch.manual_seed(7)
    model = copy.deepcopy(model).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    call, step = call(model), update(optimizer.step)
    for _ in range(3):
        x, y = torch.randn(4, 3, 4, 4).to(device), torch.randint(5, (4,)).to(device)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=autocast):
            loss = F.cross_entropy(call(x), y)
        optimizer.zero_grad()
        loss.backward()
        step()
        yield loss.item()

@compiled
def attend(x):
    return F.scaled_dot_product_attention(x, x, x, is_causal=True)

x = numbers(1, 2, 6, 8)
assert attend(x).equal(F.scaled_dot_product_attention(x, x, x, is_causal=True))
eager = {"call": lambda model: model}
model = Model()
on_cpu = list(train(model, "cpu", **eager))
assert on_cpu == list(train(model, "neuron", **eager)) == list(train(model, "neuron"))
assert torch.allclose(torch.tensor(list(train(model, "neuron", update=compiled))),
                      torch.tensor(on_cpu), rtol=1e-5)
assert torch.allclose(torch.tensor(list(train(model, "neuron", autocast=True))),
                      torch.tensor(list(train(model, "neuron", autocast=True, **eager))), rtol=1e-2)
"""


def test_compiled_training_gives_the_numbers_of_eager_training(
    rehearse: Callable[..., Run],
) -> None:
    done, (recording,) = rehearse(START + EQUAL)
    assert done.returncode == 0, done.stderr
    assert {graph.kind for graph in recording.graphs} == {"forward", "backward", "inference"}
    inside = {operator.name for operator in recording.operators if operator.graph}
    assert {"aten::convolution", "aten::scaled_dot_product_attention"} <= inside
    names = {graph.name for graph in recording.graphs}
    assert {operator.graph for operator in recording.operators} == {"", *names}


REFUSED = """
@torch.compile(backend="neuron", dynamic=True)
def asked(x):
    return x + 1

@torch.compile(backend="neuron")
def automatic(x):
    return x + 1

@torch.compile(backend="neuron")
def marked(x):
    return x + 1

@torch.compile(backend="neuron", dynamic=False)
def of_data(x):
    return x[x > 0].bfloat16()

torch._dynamo.config.capture_dynamic_output_shape_ops = True
automatic(numbers(3))
with_mark = numbers(4, 5)
torch._dynamo.mark_dynamic(with_mark, 1)
for function, x in ((marked, with_mark), (of_data, numbers(3)), (asked, numbers(4))):
    try:
        function(x)
    except torch._dynamo.exc.BackendCompilerFailed:
        continue
    raise AssertionError
automatic(numbers(5))
"""


def test_dynamic_shapes_are_refused(rehearse: Callable[..., Run]) -> None:
    done, (recording,) = rehearse(START + REFUSED)
    assert done.returncode == 1
    assert recording.outcome.exception == "torch._dynamo.exc.BackendCompilerFailed"
    failures = {e.region.function: e.reason for e in recording.compilations if e.kind == "failure"}
    assert failures["automatic"] in recording.outcome.message
    found = {
        function: (reason.partition(" has shape ")[2].split()[0], reason[-6:-1])
        for function, reason in failures.items()
        if reason.startswith("[NCC_EMOD025] Dynamic shape is not supported: instruction ")
    }
    assert found == {
        "asked": ("'f32[?]'.", "NM201"),
        "automatic": ("'f32[?]'.", "NM201"),
        "marked": ("'f32[4,?]'.", "NM203"),
        "of_data": ("'f32[?]'.", "NM222"),
    }


EVENTS = """
@torch.compile(dynamic=False)
def default(x):
    return x + 1

@torch.compile(backend="neuron", dynamic=False)
def breaks(x):
    x = x + 1
    print("a break")
    if x.sum() > 0:
        x = x * 2
    return x

@torch.compile(backend="neuron", dynamic=False, mode="max-autotune")
def with_mode(x):
    return x + torch.neuron.device_count() + torch.neuron.current_device()

@torch.compile(backend="neuron", dynamic=True, options={"fallback_execution": True})
def falls_back(x):
    return x * 3

@torch.compile(backend="neuron")
def number(x, k):
    return x + k

@torch.compile(backend="inductor")
def inductor(x):
    return x + 1

@torch.compile(backend="neuron", dynamic=False)
def waits(x):
    x = x + 1
    torch.neuron.synchronize()
    return x * 2

@torch.compile(backend="neuron", dynamic=False)
def host(x):
    return x + 1

class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
    @torch.compile(backend="neuron", dynamic=False)
    def method(self, x):
        return self.layer(x)
    def forward(self, x):
        return torch.utils.checkpoint.checkpoint(self.layer, x, use_reentrant=False)

for _ in range(2):
    default(numbers(3)), breaks(numbers(3)), falls_back(numbers(3)), waits(numbers(3))
assert with_mode(torch.zeros(3, device="neuron")).tolist() == [2.0] * 3
for k in (1, 2, 3):
    number(numbers(3), k)
assert host(torch.ones(3)).device.type == "cpu"
try:
    inductor(numbers(3))
except Exception as error:
    assert "neuron" in str(error)
else:
    raise AssertionError
module = Steps().to("neuron")
module.method(numbers(2, 3)).sum().backward()
module.compile(backend="neuron", dynamic=False)
module(numbers(2, 3)).sum().backward()
torch._dynamo.reset()
module.method(numbers(2, 3))
"""


def test_what_is_recorded_of_compiling(rehearse: Callable[..., Run]) -> None:
    done, (recording,) = rehearse(START + EVENTS)
    assert done.returncode == 0, done.stderr
    assert events(recording, "break") == {
        ("breaks", 17, "Failed to trace"),
        ("torch_dynamo_resume_in_breaks_at_17", 18, "Data-dependent branching"),
    }
    assert events(recording, "recompile") == {("number", 30, "k == 1")}
    assert events(recording, "inductor") == {("<module>", 34, "Inductor has no")}
    assert events(recording, "fallback") == {("falls_back", 26, "[NCC_EMOD025] Dynamic shape")}
    runs = {(g.region.function, g.kind): (g.traces, g.calls) for g in recording.graphs}
    assert runs["default", "inference"] == (1, 2)
    assert runs["with_mode", "inference"] == (1, 1)
    assert runs["Steps.forward", "backward"] == (1, 1)
    assert runs["Steps.method", "forward"] == (2, 2)
    assert runs["Steps.method", "backward"] == (1, 1)
    assert not {function for function, _ in runs} & {"falls_back", "host", "inductor"}
    waits = {(wait.kind, wait.count) for wait in recording.synchronisations}
    assert {("synchronize", 2), ("item", 2)} <= waits
    notes = {(note.line.function, note.text.partition(" ")[0]) for note in recording.notes}
    assert {("with_mode", "Only"), ("number", "A"), ("host", "A")} <= notes
    (three,) = (o for o in recording.operators if o.line.function == "falls_back")
    assert (three.graph, three.count) == ("", 2)
