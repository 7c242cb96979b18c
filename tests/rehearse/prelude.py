"""What the programs of the fixtures take as given: names that a training script would have.

Everything is small, seeded, and on the accelerator, as the fixtures are pieces of programs that
have moved their model and data.
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from torch import nn

BATCH, WIDTH = 4, 8


class Net(nn.Module):
    """Some layers, and what fixtures call on a model of Transformers."""

    def __init__(self, width: int = WIDTH) -> None:
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(width, width), nn.Linear(width, width)])
        self.config = argparse.Namespace(use_cache=True)

    def forward(self, x: torch.Tensor, *_: Any, **__: Any) -> torch.Tensor:
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x

    def generate(self, x: torch.Tensor, **_: Any) -> torch.Tensor:
        return self(x)


class Data(torch.utils.data.Dataset[tuple[torch.Tensor, torch.Tensor]]):
    """A few samples with labels."""

    def __len__(self) -> int:
        return 3 * BATCH

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.full((WIDTH,), float(index)), torch.tensor(index % WIDTH)


def names(device: str) -> dict[str, Any]:
    """The names, with tensors and modules on a device."""
    torch.manual_seed(0)
    model, net = Net().to(device), Net().to(device)
    x, y, z, w = (torch.randn(BATCH, WIDTH).to(device) for _ in range(4))
    labels = torch.arange(BATCH).to(device)
    args = argparse.Namespace(
        batch_size=2, workers=0, num_workers=0, device=device, gpu=0, local_rank=0, seed=1,
        fp16=False, bf16=True, amp=True, cuda=True, no_cuda=False, compile=True, lr=0.1,
        allow_tf32=True, dynamic=False, cpu=False, compile_mode="default",
        use_amp=True, dtype="bfloat16", precision="bf16",
    )  # fmt: skip
    return {
        "model": model, "net": net, "Net": Net, "module": net, "modules": [net], "build": Net,
        "layer": net.layers[0], "block": net, "teacher": net, "student": net, "ema": net,
        "x": x, "y": y, "z": z, "w": w, "v": y, "a": x, "b": y, "batch": x, "inputs": x,
        "images": x, "tensor": x, "input": x, "data": x, "t": x, "q": x, "k": y, "hidden": x,
        "labels": labels, "target": labels, "targets": labels, "mask": x > 0,
        "lengths": torch.tensor([3, 5, 2]).to(device), "n": 6, "size": 4, "i": 1, "seed": 3,
        "parts": [[1, 2], [3]], "values": [1.0, 2.0], "args": args, "rank": 0,
        "device": torch.device(device),
        "dataset": Data(), "loader": [(x, labels)], "batches": [x, y], "steps": 2, "epoch": 0,
        "criterion": nn.functional.cross_entropy, "loss_fn": nn.functional.cross_entropy,
        "optimizer": torch.optim.SGD(model.parameters(), lr=0.1), "use_amp": True, "amp": True,
        "load": Net, "load_model": Net, "get_model": Net, "make_model": Net,
        "run": _same, "step": _nothing, "kernel": _same, "function": _same, "program": _nothing,
        "fn": _same, "f": _same, "use_gpu": True, "on_gpu": True, "training": True,
        "amp_dtype": torch.bfloat16, "dtype": torch.bfloat16, "options": {}, "scale": 2.0,
        "config": argparse.Namespace(dtype="bfloat16", amp=True, use_amp=True), "quick": False,
        "arguments": {}, "other": net, "m": net, "fast": True, "first": net, "second": net,
    }  # fmt: skip


def _same(value: Any = None, *_: Any, **__: Any) -> Any:
    return value


def _nothing(*_: Any, **__: Any) -> None:
    return None
