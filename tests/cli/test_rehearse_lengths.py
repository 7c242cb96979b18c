"""The compile count of a loader against a count by hand, and padding against really padding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_rehearse import rehearse, write

if TYPE_CHECKING:
    from pathlib import Path

LOADER = """
import torch
from torch import nn

table, layer = nn.Embedding(50, 8).to("neuron"), nn.Linear(8, 4).to("neuron")
with torch.no_grad():
    for length in {lengths}:
        hidden = table(torch.ones(4, length, dtype=torch.int64).to("neuron"))
        hidden = torch.relu(hidden)
        out = layer(hidden)
"""
TRAINER = """
import sys
import torch
from torch import nn
from torch.nn import functional as F

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.norm = nn.Embedding(60, 16), nn.LayerNorm(16)
        self.qkv, self.head = nn.Linear(16, 48), nn.Linear(16, 60)
    def forward(self, ids):
        batch, length = ids.shape
        x = self.norm(self.table(ids))
        parts = self.qkv(x).view(batch, length, 3, 2, 8).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(*parts, is_causal=True)
        return self.head(x + y.transpose(1, 2).reshape(batch, length, 16))

multiple = int(sys.argv[1])
model = Model().to("neuron")
optimizer = torch.optim.AdamW(model.parameters())
for length in (17, 23, 31, 130, 140, 23):
    ids = torch.randint(60, (8, -(-length // multiple) * multiple)).to("neuron")
    loss = F.cross_entropy(model(ids).flatten(0, 1), ids.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
"""


def bill(folder: Path, source: str, *arguments: str) -> Any:
    pytest.importorskip("torch", reason="a program is rehearsed on torch")
    write(folder, source)
    options = ("--output-format", "json", "-o", "out.json")
    done = rehearse(folder, *options, "program.py", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "out.json").read_text())["bill"]


@pytest.mark.parametrize(
    ("lengths", "total", "padded"),
    [((5, 9, 12, 130, 9), 12, 6), ((128, 256, 128), 6, 6), ((128, 128), 3, 3)],
)
def test_a_loader(tmp_path: Path, lengths: tuple[int, ...], total: int, padded: int) -> None:
    """Embedding, relu and the product of the layer for each length."""
    found = bill(tmp_path, LOADER.format(lengths=lengths))
    assert (found["eager"], found["padded"]) == (total, padded)


def test_padding_that_is_foretold_is_what_padding_gives(tmp_path: Path) -> None:
    """Forward, backward and optimizer of a small transformer, line by line."""
    foretold = bill(tmp_path, TRAINER, "1")
    real = bill(tmp_path, TRAINER, "128")
    assert foretold["eager"] > foretold["padded"] == real["eager"] == real["padded"]
    sites = {each["place"]["line"]: each["padded"] for each in foretold["sites"]}
    assert sites == {each["place"]["line"]: each["compilations"] for each in real["sites"]}
