"""Training loops give on the device, number for number, what they give on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rehearse.conftest import Run

LOOP = """
import copy
import torch
from torch import nn

OPTIMIZERS = {{
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-3),
    "fused": lambda p: torch.optim.AdamW(p, lr=1e-3, fused=True),
    "foreach": lambda p: torch.optim.Adam(p, lr=1e-3, foreach=True),
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, nesterov=True),
}}

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.block = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=True)
        self.head = nn.Sequential(nn.LayerNorm(8), nn.Dropout(0.1), nn.Linear(8, 5))

    def forward(self, x):
        x = self.norm(self.conv(x)).relu().flatten(2).transpose(1, 2)
        return self.head(self.block(x).mean(1))

def train(model, device):
    torch.manual_seed(7)
    model = model.to(device)
    optimizer = OPTIMIZERS["{optimizer}"](model.parameters())
    for step in range(4):
        x, y = torch.randn(4, 3, 4, 4).to(device), torch.randint(5, (4,)).to(device)
        loss = nn.functional.cross_entropy(model(x), y, label_smoothing=0.1)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield loss.item()

torch.manual_seed(1)
model = Model()
on_cpu = list(train(copy.deepcopy(model), "cpu"))
on_device = list(train(model, "neuron"))
assert on_cpu == on_device, (on_cpu, on_device)
assert isinstance(model.conv.weight, nn.Parameter)
assert type(model.conv.weight.data) is torch.Tensor
"""


@pytest.mark.parametrize("optimizer", ["adamw", "fused", "foreach", "sgd"])
def test_losses_equal_those_of_the_cpu(rehearse: Callable[..., Run], optimizer: str) -> None:
    done, recordings = rehearse(LOOP.format(optimizer=optimizer))
    assert done.returncode == 0, done.stderr
    assert recordings[0].outcome.status == "finished"
    names = {operator.name for operator in recordings[0].operators}
    assert {"aten::convolution", "aten::native_layer_norm"} <= names
    assert ("aten::_fused_adamw_" in names) == (optimizer == "fused")
