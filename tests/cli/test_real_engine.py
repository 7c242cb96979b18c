"""The command line on the engine and the catalog that ship."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.cli import app
from neuron_migrate.report import explain
from tests.cli.test_app import environment

pytest.importorskip("neuron_migrate.engine.run")

if TYPE_CHECKING:
    Capture = pytest.CaptureFixture[bytes]

FILES = {
    "plain.py": b'import torch\n\nx = torch.ones(1, device="cuda")\n',
    "crlf.py": b'import torch\r\nx = torch.ones(1).to("cuda")\r\n',
    "last line.py": b'import torch\nx = torch.ones(1).to("cuda")',
    "bom.py": b'\xef\xbb\xbfimport torch\nx = torch.ones(1).to("cuda")\n',
    "latin.py": b'# coding: latin-1\nimport torch\n# \xe9\nx = torch.ones(1).to("cuda")\n',
    "clean.py": b"import os\n",
}


@pytest.fixture
def tree(project: Path) -> Path:
    for name, content in FILES.items():
        (project / name).write_bytes(content)
    return project


def _contents(tree: Path) -> dict[str, bytes]:
    return {name: (tree / name).read_bytes() for name in FILES}


def test_an_earlier_release_of_the_sdk(project: Path, capfdbinary: Capture) -> None:
    (project / "plain.py").write_bytes(FILES["plain.py"])
    assert app.run(["check", "--sdk", "2.32.0", "--output-format", "json"]) == 1
    assert json.loads(capfdbinary.readouterr().out)["sdk"] == "2.32"
    assert app.run(["check", "--sdk", "2.9"]) == 2
    assert b"'2.9' is not a release that is known" in capfdbinary.readouterr().err


def test_json_of_one_finding(project: Path, capfdbinary: Capture) -> None:
    (project / "plain.py").write_bytes(FILES["plain.py"])
    assert app.run(["check", "--no-cache", "--output-format", "json"]) == 1
    document = json.loads(capfdbinary.readouterr().out)
    [finding] = document["findings"]
    place = {key: finding[key] for key in ("path", "cell", "line", "column", "end_line")}
    assert place == {"path": "plain.py", "cell": None, "line": 3, "column": 26, "end_line": 3}
    assert (finding["code"], finding["fix"]) == ("NM101", "safe")
    assert document["summary"]["verdict"] == "auto"


def test_the_patch_is_what_apply_writes_and_undo_gives_back(
    tree: Path, capfdbinary: Capture
) -> None:
    assert app.run(["fix", "--no-cache", "--patch", "change.patch"]) == 1
    assert _contents(tree) == FILES
    subprocess.run(["git", "init", "-q"], cwd=tree, check=True)
    apply = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "change.patch"]
    subprocess.run(apply, cwd=tree, check=True)
    patched = _contents(tree)
    subprocess.run([*apply, "--reverse"], cwd=tree, check=True)
    assert app.run(["fix", "--no-cache", "--apply"]) == 0
    assert _contents(tree) == patched
    assert patched == {name: FILES[name].replace(b"cuda", b"neuron") for name in FILES}
    assert app.run(["fix", "--no-cache"]) == 0
    assert app.run(["undo"]) == 0
    assert _contents(tree) == FILES


@pytest.mark.parametrize("options", [["--select", "NM103"], ["--ignore", "NM0"], ["--exit-zero"]])
def test_a_file_that_does_not_parse_always_counts(
    project: Path, capfdbinary: Capture, options: list[str]
) -> None:
    (project / "bad.py").write_text('def (:\n  x.to("cuda")\n')
    assert app.run(["check", "--no-cache", "-q", "--output-format", "concise", *options]) == 1
    assert capfdbinary.readouterr().out.startswith(b"bad.py:1:5: NM000 ")


def test_every_rule_can_be_explained(project: Path, capfdbinary: Capture) -> None:
    rules = loader.load().rules
    for rule in rules:
        assert explain.render(rule).startswith(f"{rule.code} {rule.name} ")
    assert app.run(["explain", rules[-1].code]) == 0
    assert capfdbinary.readouterr().out.decode() == explain.render(rules[-1])


def _wait_until_it_reads(pid: int) -> None:
    """Until the process sleeps: a loaded machine may take long to bring it to its input."""
    sleeps = 0
    for _ in range(600):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        sleeps = sleeps + 1 if state == "S" else 0
        if sleeps == 20:
            return
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_ctrl_c_ends_quietly(project: Path) -> None:
    code = "from neuron_migrate.cli.app import main; print('ready', flush=True); main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        _wait_until_it_reads(process.pid)
        process.send_signal(signal.SIGINT)
        output, error = process.communicate(timeout=30)
    assert (process.returncode, output, error) == (130, b"", b"")


def test_documents_are_read_on_request(project: Path, capfdbinary: Capture) -> None:
    text = b'```py\nx = x.to("cuda")\n```\n'
    (project / "README.md").write_bytes(text)
    (project / "plain.py").write_bytes(FILES["plain.py"])
    assert app.run(["fix", "--apply", "--no-cache"]) == 0
    assert (project / "README.md").read_bytes() == text
    assert app.run(["check", "--no-cache", "README.md"]) == 1
    assert b"NM101" in capfdbinary.readouterr().out
    assert app.run(["fix", "--apply", "--no-cache", "--include-docs"]) == 0
    assert (project / "README.md").read_bytes() == text.replace(b"cuda", b"neuron")
