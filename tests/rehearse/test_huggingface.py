"""Programs of the Hugging Face libraries, migrated by `fix --apply` alone, run as on the CPU.

Skipped without the libraries, which requirements-rehearse.txt installs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

for library in ("transformers", "accelerate", "trl", "diffusers", "peft", "datasets"):
    pytest.importorskip(library, reason="needs requirements-rehearse.txt")

PROGRAMS = Path(__file__).parent / "programs"
RUNS = {
    "trainer": 0.0,
    "trainer --bf16": 0.0,
    "generate": 0.0,
    "accelerate_loop": 0.0,
    # Autocast of the CPU casts other operators than that of accelerators.
    "accelerate_loop --mixed_precision bf16 --accumulate 2": 1e-3,
    "lora": 0.0,
    "sft": 0.0,
    "sft --lora --bf16": 0.0,
    "dpo": 0.0,
    "pipelines": 0.0,
    "flux": 0.0,
    "diffusion_training": 1e-3,
}
"""Programs with their arguments, and how far from the CPU's their numbers may be, relatively."""

ON_CPU = (
    ('"neuron"', '"cpu"'),
    ("torch.neuron.empty_cache()", "None"),
    ("torch.neuron.", "torch.cpu."),
    ("stable.enable_model_cpu_offload()", "None"),
    ('report_to="none"', 'report_to="none", use_cpu=True'),
)
"""What makes of a migrated program one that runs on the CPU."""
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


@pytest.mark.parametrize("run", RUNS)
def test_migrated_program_runs_as_on_the_cpu(run: str, tmp_path: Path) -> None:
    name, *arguments = run.split()
    migrated = tmp_path / "migrated"
    shutil.copytree(PROGRAMS, migrated)
    _python(migrated, "-m", "neuron_migrate", "fix", "--apply", ".", expected=(0, 1))
    on_cpu = shutil.copytree(migrated, tmp_path / "cpu")
    for file in on_cpu.glob("*.py"):
        text = file.read_text()
        for old, new in ON_CPU:
            text = text.replace(old, new)
        file.write_text(text)
    child = ("-m", "neuron_migrate.rehearse.child", "--recording", str(tmp_path / "rec"))
    device = _python(migrated, *child, f"{name}.py", *arguments)
    cpu = _python(on_cpu, f"{name}.py", *arguments, ACCELERATE_TORCH_DEVICE="cpu")
    assert "where cpu" not in device
    _assert_same(_printed(device), _printed(cpu), RUNS[run])


def _python(folder: Path, *command: str, expected: tuple[int, ...] = (0,), **more: str) -> str:
    environment = {
        **os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false", **more,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder, capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode in expected, done.stderr
    return done.stdout


def _printed(output: str) -> list[str]:
    """What the program itself printed, but for the name of the device; a Trainer prints dicts."""
    lines = output.splitlines()
    return [line for line in lines if not line.startswith(("{", "where", "device"))]


def _assert_same(ours: list[str], theirs: list[str], tolerance: float) -> None:
    assert ours
    assert [NUMBER.sub("", line) for line in ours] == [NUMBER.sub("", line) for line in theirs]
    numbers = [[float(n) for n in NUMBER.findall(" ".join(lines))] for lines in (ours, theirs)]
    assert numbers[0] == pytest.approx(numbers[1], rel=tolerance, abs=0)
