"""How long a small training run takes on the simulated device, in terms of the plain CPU.

    python benchmarks/rehearse.py [--rounds N] [--steps N] [--width N]

A transformer of four layers is trained on one thread; medians of processor seconds, in which what
else the machine does hardly shows. ``eager`` and ``compiled`` run on the device, without and with
``torch.compile(backend="neuron")``. ``first`` is the first step, in which torch and Dynamo get
ready; ``steps`` are those after it, and ``all`` is the whole process.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """
import sys, time
import torch
from torch import nn
from torch.nn import functional as F

device, compiled, steps = sys.argv[1], sys.argv[2] == "compiled", int(sys.argv[3])
width, length, batch = int(sys.argv[4]), 128, 16
torch.manual_seed(0)
layer = nn.TransformerEncoderLayer(width, 4, 4 * width, dropout=0.0, batch_first=True)
layers = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
model = nn.Sequential(nn.Embedding(1000, width), layers, nn.Linear(width, 1000))
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

start = time.process_time()
step()
first = time.process_time()
for _ in range(steps):
    loss = step()
print(f"first={first - start:.3f} steps={time.process_time() - first:.3f} loss={loss:.6f}")
"""
CHILD = ["-m", "neuron_migrate.rehearse.child"]


def main() -> None:
    """Run the rounds and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--width", type=int, default=128)
    arguments = parser.parse_args()
    kinds = ("cpu", "eager", "compiled")
    runs: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(arguments.rounds):
            for kind in kinds:
                place = Path(folder, f"{kind}{round_}")
                runs[kind].append(_run(kind, arguments.steps, arguments.width, place))
    _report(runs, arguments.steps)


def _run(kind: str, steps: int, width: int, folder: Path) -> dict[str, float]:
    """The seconds of one run: of its first step, of the others, and in all."""
    folder.mkdir()
    program = folder / "program.py"
    program.write_text(PROGRAM)
    command = [str(program), "cpu" if kind == "cpu" else "neuron", kind, str(steps), str(width)]
    if kind != "cpu":
        command = [*CHILD, "--recording", str(folder / "recording"), *command]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    begin = _spent()
    done = subprocess.run(
        [sys.executable, *command], check=True, env=environment, capture_output=True, text=True
    )
    found = re.findall(r"(\w+)=([\d.]+)", done.stdout)
    return {"all": _spent() - begin, **{name: float(value) for name, value in found}}


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


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
