"""The program without the device: everything that names one is on the CPU."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import io, torch
from torch import nn

for name in ("cuda", "neuron"):
    there = torch.device(name, 1)
    assert there.type == name and torch.get_device_module(name).is_available()
    model = nn.Linear(4, 4).to(there)
    with torch.device(name):
        made = torch.ones(2)
    torch.set_default_device(name)
    default = torch.ones(2)
    torch.set_default_device(None)
    saved = io.BytesIO()
    torch.save(made, saved)
    saved.seek(0)
    found = [
        made, default, model.weight, torch.tensor([1.0], device=name), torch.ones(1).to(there),
        torch.randn(2, device=there, generator=torch.Generator(name)), torch.ones(1).cuda(),
        torch.load(saved, map_location=name), torch.arange(3, device=f"{name}:1"),
        torch.compile(model)(torch.ones(1, 4, device=name)), nn.Linear(2, 2).cuda().weight,
    ]
    assert {each.device for each in found} == {torch.device("cpu")}, found
    with torch.autocast(name, dtype=torch.bfloat16):
        assert model(torch.ones(1, 4)).dtype == torch.bfloat16
        assert nn.functional.layer_norm(torch.ones(2).bfloat16(), (2,)).dtype == torch.float32
scaler = torch.amp.GradScaler("cuda")
scaler.scale(model(torch.ones(1, 4)).sum()).backward()
assert float(model.bias.grad[0]) == scaler.get_scale() == 65536.0
torch.cuda.manual_seed_all(5)
drawn = torch.rand(1)
torch.neuron.manual_seed_all(5)
assert torch.rand(1) == drawn
assert list(torch.compile(model).state_dict()) == ["_orig_mod.weight", "_orig_mod.bias"]
print("done")
"""


def test_everything_stays_on_the_cpu(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the simulated device needs torch")
    (tmp_path / "program.py").write_text(PROGRAM)
    command = ["-W", "ignore", "-m", "neuron_migrate.rehearse.child"]
    command += ["--recording", str(tmp_path), "--on-cpu", str(tmp_path / "program.py")]
    done = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.returncode) == ("done\n", 0), done.stderr
    assert not [*tmp_path.glob("*.msgpack")]
