"""How long a small training run takes on the simulated device, in terms of the plain CPU.

    python benchmarks/rehearse.py [--rounds N] [--steps N]

A transformer of four layers is trained on one thread. ``eager`` and ``compiled`` are the steps on
the device, without and with ``torch.compile(backend="neuron")``; the first steps, in which torch
and Dynamo get ready, are left out of them and shown as ``start`` and ``capture``.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = """
import sys, time
import torch
from torch import nn
from torch.nn import functional as F

device, compiled, steps = sys.argv[1], sys.argv[2] == "compiled", int(sys.argv[3])
width, length, batch = 256, 128, 16
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True)
model = nn.Sequential(nn.Embedding(1000, width), nn.TransformerEncoder(layer, 4, enable_nested_tensor=False), nn.Linear(width, 1000))
model = model.to(device)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=True)
call = torch.compile(model, backend="neuron", dynamic=False) if compiled else model

def step():
    tokens = torch.randint(1000, (batch, length)).to(device)
    loss = F.cross_entropy(call(tokens).flatten(0, 1), tokens.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()

start = time.perf_counter()
step()
first = time.perf_counter()
for _ in range(steps):
    loss = step()
print(f"first={first - start:.3f} steps={time.perf_counter() - first:.3f} loss={loss:.6f}")
"""
CHILD = ["-m", "neuron_migrate.rehearse.child"]


def main() -> None:
    """Run the rounds and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10)
    arguments = parser.parse_args()
    kinds = ("cpu", "eager", "compiled")
    runs: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(arguments.rounds):
            for kind in kinds:
                runs[kind].append(_run(kind, arguments.steps, f"{folder}/{kind}{round_}"))
    _report(runs, arguments.steps)


def _run(kind: str, steps: int, folder: str) -> dict[str, float]:
    """The seconds of one run: of its first step, of the others, and in all."""
    os.makedirs(folder)
    with open(f"{folder}/program.py", "w") as file:
        file.write(PROGRAM)
    device = "cpu" if kind == "cpu" else "neuron"
    command = [f"{folder}/program.py", device, kind, str(steps)]
    if kind != "cpu":
        command = [*CHILD, "--recording", f"{folder}/recording", *command]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *command], check=True, env=environment, capture_output=True, text=True
    )
    found = re.findall(r"(\w+)=([\d.]+)", done.stdout)
    return {"all": time.perf_counter() - begin, **{name: float(value) for name, value in found}}


def _report(runs: dict[str, list[dict[str, float]]], steps: int) -> None:
    losses = {run["loss"] for kind in runs.values() for run in kind}
    print(f"{steps} steps, {os.cpu_count()} cores, {len(runs['cpu'])} rounds, losses {losses}")
    for what in ("steps", "first", "all"):
        plain = statistics.median(run[what] for run in runs["cpu"])
        for kind, found in runs.items():
            values = [run[what] for run in found]
            median = statistics.median(values)
            spread = f"{min(values):.2f}-{max(values):.2f}"
            print(f"{what:>6} {kind:>9}: {median:6.2f} s ({spread}), {median / plain:.2f} x cpu")


if __name__ == "__main__":
    main()
