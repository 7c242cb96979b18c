"""Code that prepares data on the CPU."""

from __future__ import annotations

import ast

import pytest

from neuron_migrate.engine.data_code import prepares_data
from neuron_migrate.engine.file import File
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.index import build
from neuron_migrate.files.lines import Lines


def prepares(text: str) -> bool:
    """Whether the last statement of a text prepares data."""
    lines = Lines(text)
    file = File(text, "x.py", lines, build(ast.parse(text), lines, text), "neuron")
    return prepares_data(Here(file, file.pieces(file.index.statements[-1])[0]))


@pytest.mark.parametrize(
    "text",
    [
        "class Words(Dataset):\n    def f(self):\n        x = 1",
        "import torch\nclass Words(torch.utils.data.IterableDataset):\n    x = 1",
        "from torch.utils import data\nclass Words(data.Sampler):\n    x = 1",
        "class PaddingCollator:\n    def __call__(self):\n        x = 1",
        "def __getitem__(self, index):\n    x = 1",
        "def my_collate_fn(items):\n    x = 1",
        "def preprocess_function(examples):\n    x = 1",
    ],
)
def test_data(text: str) -> None:
    assert prepares(text)


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "class Transformer(nn.Module):\n    def forward(self):\n        x = 1",
        "class DDIMSampler:\n    def sample(self):\n        x = 1",
        "def train(dataset):\n    x = 1",
    ],
)
def test_no_data(text: str) -> None:
    assert not prepares(text)
