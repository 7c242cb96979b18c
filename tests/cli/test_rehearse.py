"""The command from end to end, on programs that really run."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

import neuron_migrate
from neuron_migrate.doctor import packages
from neuron_migrate.errors import UsageError
from neuron_migrate.rehearsal.interpreter import interpreter
from neuron_migrate.rehearse import recording
from tests.doctor.building import environment

ROOT = Path(neuron_migrate.__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "COLUMNS": "80"}
COMMAND = [sys.executable, "-m", "neuron_migrate", "rehearse"]
NO_CUDA = ("Torch not compiled with CUDA enabled", "Found no NVIDIA driver")
"""What a build of torch for the CPU says, and one for CUDA."""


@pytest.fixture
def torch() -> None:
    pytest.importorskip("torch", reason="a program is rehearsed on torch")


def rehearse(
    folder: Path, *arguments: str, given: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder, env=ENVIRONMENT | variables, input=given,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def write(folder: Path, source: str, name: str = "program.py") -> None:
    (folder / name).write_text(textwrap.dedent(source))


@pytest.mark.usefixtures("torch")
def test_a_program_that_ends_well(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        import sys, torch
        x = torch.ones(2, 3).to("neuron")
        print((x + x).sum().item(), sys.argv[1:], input(), __name__)
        print("beside", file=sys.stderr)
        """,
    )
    done = rehearse(tmp_path, "program.py", "--cores", "-o", "--", "x y", given="typed\n")
    own, report = done.stdout.split("\n", 1)
    assert own == "12.0 ['--cores', '-o', '--', 'x y'] typed __main__"
    assert report.startswith("Rehearsal of program.py --cores -o -- x y (torch ")
    assert "Outcome: It ran to its end." in report
    assert "program.py:3  to the device       1  24 B" in report
    assert "beside\n" in done.stderr
    assert done.returncode == 0


@pytest.mark.usefixtures("torch")
def test_a_leftover_of_cuda_is_explained(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        import torch

        def move(x):
            return x.cuda()

        move(torch.ones(1))
        """,
    )
    done = rehearse(tmp_path, "--output-format", "json", "-o", "out.json", "program.py")
    outcome = json.loads((tmp_path / "out.json").read_text())["outcome"]
    assert (done.returncode, done.stdout) == (1, "")
    assert any(words in done.stderr for words in NO_CUDA)
    assert [frame["place"]["line"] for frame in outcome["frames"]] == [7, 5]
    (explanation,) = outcome["explanations"]
    assert (explanation["code"], explanation["place"]["line"]) == ("NM103", 5)


@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import sys; sys.exit(5)", 5),
        ("raise SystemExit('words')", 1),
        ("import os; os._exit(7)", 7),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 137),
        ("print('on the CPU only')", 3),
        ("import torch; torch.ones(1, device='neuron')", 0),
    ],
)
def test_exit_status(tmp_path: Path, source: str, expected: int) -> None:
    write(tmp_path, source)
    done = rehearse(tmp_path, "program.py")
    assert done.returncode == expected
    assert "Outcome: It " in done.stdout


@pytest.mark.usefixtures("torch")
def test_quiet_says_the_faults_only(tmp_path: Path) -> None:
    write(tmp_path, "print('hello')")
    done = rehearse(tmp_path, "-q", "program.py")
    assert (done.returncode, done.stdout) == (3, "hello\n")
    assert "neuron-migrate: fault: nothing ran on the Neuron device" in done.stderr


@pytest.mark.usefixtures("torch")
def test_a_module(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    write(tmp_path, "", "package/__init__.py")
    write(
        tmp_path,
        "import sys, torch; torch.ones(1, device='neuron'); print(sys.argv[1:])",
        "package/train.py",
    )
    done = rehearse(tmp_path, "-m", "package.train", "-m", "--quiet")
    assert done.stdout.startswith("['-m', '--quiet']\nRehearsal of -m package.train -m --quiet")
    assert done.returncode == 0


@pytest.mark.usefixtures("torch")
def test_the_program_finds_what_it_would_find(tmp_path: Path) -> None:
    """Its own folder comes first, and nothing of ours but the package can be imported."""
    (tmp_path / "src").mkdir()
    write(tmp_path, "NAME = 'own'", "src/tests.py")
    write(tmp_path, "import tests; assert tests.NAME == 'own'", "src/program.py")
    assert "It ran to its end" in rehearse(tmp_path, "src/program.py").stdout


@pytest.mark.usefixtures("torch")
def test_a_recording_that_is_kept(tmp_path: Path) -> None:
    write(tmp_path, "import torch; torch.ones(1, device='neuron')")
    assert rehearse(tmp_path, "--keep-recording", "kept", "program.py").returncode == 0
    (kept,) = recording.read(tmp_path / "kept")
    assert kept.command == ("program.py",)
    again = rehearse(tmp_path, "--keep-recording", "kept", "program.py")
    assert (again.returncode, again.stdout) == (2, "")
    assert "--keep-recording: kept is not an empty folder" in again.stderr


@pytest.mark.usefixtures("torch")
def test_an_interrupt_reaches_the_program_and_leaves_a_report(tmp_path: Path) -> None:
    write(
        tmp_path,
        """
        import time, torch
        torch.ones(1, device="neuron")
        print("ready", flush=True)
        time.sleep(60)
        """,
    )
    process = subprocess.Popen(
        [*COMMAND, "program.py"],
        cwd=tmp_path, env=ENVIRONMENT, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    report, errors = process.communicate(timeout=60)
    assert "Outcome: It was interrupted; what follows is what ran until then." in report
    assert "KeyboardInterrupt" in errors
    assert process.returncode == 130


@pytest.mark.usefixtures("torch")
def test_the_guide_shows_what_is_printed(tmp_path: Path) -> None:
    guide = (ROOT / "docs/guides/rehearse.md").read_text(encoding="utf-8")
    source = guide.partition("```python\n")[2].partition("```")[0]
    stopped, ended = re.findall(r"(?<=\n\n```\n).*?(?=^```)", guide, re.DOTALL | re.MULTILINE)
    write(tmp_path, source, "left.py")
    write(tmp_path, source.replace(".cuda()", ""), "train.py")
    printed = rehearse(tmp_path, "left.py").stdout
    raised = re.search(r"^  [A-Z]\w+: .*?(?=^  \*)", printed, re.DOTALL | re.MULTILINE)
    assert raised is not None
    assert any(words in raised[0] for words in NO_CUDA)
    assert re.sub(r"^  AssertionError: .*\n", lambda _: raised[0], stopped, flags=re.M) in printed
    assert ended in rehearse(tmp_path, "train.py").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["away.py"], "error: no such script: away.py"),
        ([], "Missing argument"),
        (["--cores", "0", "program.py"], "--cores"),
        (["-o", "no/out.txt", "program.py"], "--output: no such folder: no"),
        (["--sdk", "1.0", "program.py"], "is not a release that is known"),
        (["--python", "no-such-python", "program.py"], "no-such-python"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], message: str) -> None:
    write(tmp_path, "print('ran')")
    done = rehearse(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("installed", "message"),
    [
        (["msgspec 0.19"], 'has no torch.*pip install "neuron-migrate\\[rehearse\\]"'),
        (["torch 2.10.1", "msgspec 0.19"], "has torch 2.10.1; a rehearsal needs torch"),
        (["torch 2.16.0", "msgspec 0.19"], "has torch 2.16.0"),
        (["torch odd", "msgspec 0.19"], "has torch odd"),
        (["torch 2.14.0+cpu"], "has no msgspec"),
    ],
)
def test_an_environment_that_lacks_something(
    monkeypatch: pytest.MonkeyPatch, installed: list[str], message: str
) -> None:
    monkeypatch.setattr(packages, "look", lambda python: environment(*installed))
    with pytest.raises(UsageError, match=message):
        interpreter(None)


@pytest.mark.parametrize("version", ["2.11.0", "2.13.0+cpu", "2.15.2", "2.15.0a0+git1"])
def test_an_environment_that_has_it_all(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    found: Any = environment(f"torch {version}", "msgspec 0.19")
    monkeypatch.setattr(packages, "look", lambda python: found)
    assert interpreter(None) == found.executable


def test_help_does_not_import_torch() -> None:
    code = (
        "import sys; from neuron_migrate.cli.app import run; run(['rehearse', '--help']);"
        "sys.exit('torch' in sys.modules or 'libcst' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, check=False)
    assert done.returncode == 0
