"""The command from end to end, on machines that are made up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import neuron_migrate
from neuron_migrate.cli import app
from neuron_migrate.doctor import imds, machine, packages
from neuron_migrate.doctor.imds import Answer
from neuron_migrate.doctor.machine import Machine
from tests.doctor.building import environment

_TRAINIUM = Machine(
    system="Linux",
    architecture="x86_64",
    distribution="Ubuntu 26.04",
    devices=("neuron0",),
    tools=machine.TOOLS,
)


@pytest.fixture
def fitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project on a machine that fits."""
    monkeypatch.chdir(tmp_path)
    good = environment("torch 2.14.0", "torch-neuronx 2.14.3.0")
    monkeypatch.setattr(packages, "look", lambda python: good)
    monkeypatch.setattr(machine, "look", lambda *, instance: _TRAINIUM)
    for name in ("CUDA_VISIBLE_DEVICES", "TORCH_DEVICE_BACKEND_AUTOLOAD"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_a_machine_that_fits(fitting: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["doctor"]) == 0
    out = capfd.readouterr().out
    assert "Verdict: fit" in out
    assert "  ok       torch 2.14.0\n" in out
    assert all(len(line) <= 80 for line in out.splitlines() if "https://" not in line)


def test_a_project_that_does_not(fitting: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (fitting / "requirements.txt").write_text("torch==2.4.0\n")
    assert app.run(["doctor"]) == 1
    out = capfd.readouterr().out
    assert "  problem  torch==2.4.0 in requirements.txt:1\n" in out
    assert "Verdict: not fit: 1 problem" in out


def test_json(fitting: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (fitting / "requirements.txt").write_text("torch==2.4.0\n")
    assert app.run(["doctor", "--output-format", "json"]) == 1
    document = json.loads(capfd.readouterr().out)
    assert (document["schema"], document["sdk"], document["fit"]) == (1, "2.33", False)
    assert document["python"]["executable"] == "/env/bin/python"
    (problem,) = [each for each in document["checks"] if each["verdict"] == "problem"]
    assert set(problem) == {
        "section",
        "name",
        "seen",
        "verdict",
        "means",
        "fix",
        "sources",
        "disputed",
    }
    assert document["summary"]["problem"] == 1


def test_an_older_release(fitting: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert app.run(["doctor", "--sdk", "2.31"]) == 0
    assert "does not know" in " ".join(capfd.readouterr().out.split())


@pytest.mark.parametrize(
    "arguments",
    [["--sdk", "1.0"], ["no-such-folder"], ["--no-such-option"], ["--config", "x.toml"]],
)
def test_mistakes(fitting: Path, capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert app.run(["doctor", *arguments]) == 2
    assert capfd.readouterr().err.startswith("neuron-migrate: error: ")


def test_an_interpreter_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert app.run(["doctor", "--python", "no-such-python"]) == 2


def test_the_network_is_asked_on_request_only(
    fitting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def ask() -> Answer:
        asked.append(True)
        return Answer("trn2.48xlarge")

    monkeypatch.setattr(imds, "instance_type", ask)
    app.run(["doctor"])
    assert asked == []
    app.run(["doctor", "--imds"])
    assert asked == [True]


def test_torch_is_never_imported(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['torch'] = None; from neuron_migrate.cli import app;"
        " sys.exit(app.run(['doctor']) > 1)"
    )
    command = [sys.executable, "-c", code]
    variables = {**os.environ, "PYTHONPATH": str(Path(neuron_migrate.__file__).parent.parent)}
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True, env=variables)
