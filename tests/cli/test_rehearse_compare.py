"""`rehearse --compare`, on programs that really run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.test_rehearse import rehearse, write

if TYPE_CHECKING:
    from pathlib import Path

TRAIN = """
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(8, 8), nn.LayerNorm(8)).to("DEVICE")
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    generator = torch.Generator("DEVICE").manual_seed(3)
    for step in range(3):
        x = torch.randn(4, 8, device="DEVICE", generator=generator)
        with torch.autocast("DEVICE", dtype=torch.bfloat16):
            loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        print(f"step {step} loss {loss.item():.6f} on {x.device}")
    torch.cuda.synchronize() if "DEVICE" == "cuda" else torch.neuron.synchronize()
    torch.save({"model": model.state_dict(), "step": step}, "saved.pt")
"""


@pytest.fixture(autouse=True)
def torch() -> None:
    pytest.importorskip("torch", reason="a program is rehearsed on torch")


def compared(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    done = rehearse(folder, "--output-format", "json", "-o", "out.json", *arguments)
    document = json.loads((folder / "out.json").read_text())
    return done.returncode, document["comparison"]


def test_with_the_program_before_its_migration(tmp_path: Path) -> None:
    write(tmp_path, TRAIN.replace("DEVICE", "neuron"))
    write(tmp_path, TRAIN.replace("DEVICE", "cuda"), "before.py")
    (tmp_path / "saved.pt").write_text("old")
    status, comparison = compared(tmp_path, "--compare", "before.py", "program.py")
    [saved] = comparison["saved"]
    assert (status, comparison["verdict"]) == (0, "equal")
    assert (saved["path"], saved["status"], saved["numbers"]) == ("saved.pt", "equal", 89)
    assert comparison["numbers"] == 89 + 6


def test_with_the_cpu_where_it_differs(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        import os, random, torch
        x = torch.ones(1).to("neuron")
        print("loss", 2.0 if x.device.type == "neuron" else 1.0)
        print("drawn", random.random(), torch.rand(1).item())
        print("noise", int.from_bytes(os.urandom(4), "big"))
        """,
    )
    done = rehearse(tmp_path, "--compare", "cpu", "program.py")
    report = " ".join(done.stdout.split())
    assert done.returncode == 3
    assert done.stdout.startswith("loss 2.0\ndrawn ")
    assert "the program prints or saves other numbers than on the CPU" in report
    assert "Compared with the CPU Not equal. 3 numbers compared, 1 place with another" in report
    assert "1 set aside as different in two runs on the CPU too" in report
    assert "stdout:1 loss 2.0: 2.0 on the device, 1.0 on the CPU" in report


def test_no_number_is_no_equality(tmp_path: Path) -> None:
    write(tmp_path, "import torch; torch.ones(1, device='neuron')")
    status, comparison = compared(tmp_path, "--compare", "cpu", "program.py")
    assert (status, comparison["verdict"]) == (3, "nothing")


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    write(tmp_path, "")
    done = rehearse(tmp_path, "--compare", "away.py", "program.py")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--compare: neither cpu nor a script: away.py" in done.stderr
