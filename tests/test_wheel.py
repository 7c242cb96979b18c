"""The built wheel, installed in a clean environment and run outside the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.wheel

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    venv.create(folder / "venv", with_pip=True)
    (wheel,) = folder.glob("*.whl")
    python = folder / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", wheel], check=True)
    return folder / "venv" / "bin" / "neuron-migrate"


def run(program: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(folder / "cache")
    return subprocess.run(
        [program, *arguments],
        cwd=folder,
        env=environment,
        text=True,
        check=False,
        capture_output=True,
    )


def test_the_wheel_fixes_a_file(program: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nx = torch.ones(2).cuda()\n")
    done = run(program, tmp_path, "fix", "--apply", "a.py")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.py").read_text() == 'import torch\nx = torch.ones(2).to("neuron")\n'


def test_the_wheel_carries_the_whole_catalog(program: Path, tmp_path: Path) -> None:
    listed = run(program, tmp_path, "rules").stdout
    codes = {path.name.partition("-")[0] for path in (ROOT / "rules").glob("*/*.toml")}
    assert {code for code in codes if code in listed} == codes
    assert run(program, tmp_path, "explain", "NM101").returncode == 0


def test_the_wheel_reads_what_is_not_python(program: Path, tmp_path: Path) -> None:
    (tmp_path / "train.sh").write_text("CUDA_VISIBLE_DEVICES=0 torchrun train.py\n")
    (tmp_path / "requirements.txt").write_text("flash-attn\n")
    (tmp_path / "a.yaml").write_text("distributed_type: MULTI_GPU\ncompute_environment: LOCAL\n")
    found = run(program, tmp_path, "check", "--output-format", "json", ".").stdout
    paths = {finding["path"] for finding in json.loads(found)["findings"]}
    assert {"train.sh", "requirements.txt"} <= paths


def test_the_wheel_has_a_doctor(program: Path, tmp_path: Path) -> None:
    done = run(program, tmp_path, "doctor")
    assert done.returncode in {0, 1}, done.stderr
    assert done.stderr == ""


def test_the_wheel_gives_json(program: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nx = torch.ones(2).cuda()\n")
    done = run(program, tmp_path, "check", "--output-format", "json", "a.py")
    assert json.loads(done.stdout)["summary"]["verdict"] == "auto"


def test_the_wheel_gives_html(program: Path, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch\nx = torch.ones(2).cuda()\n")
    done = run(program, tmp_path, "check", "--output-format", "html", "a.py")
    assert done.stdout.startswith("<!DOCTYPE html>")
    assert done.stdout.endswith("</html>\n")


def test_no_generated_page_is_shipped(tmp_path: Path) -> None:
    """What ``make docs`` leaves in the tree, as it does before this in CI."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel"]
    subprocess.run([*build, "-d", str(tmp_path)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (source,), (wheel,) = tmp_path.glob("*.tar.gz"), tmp_path.glob("*.whl")
    with tarfile.open(source) as archive, zipfile.ZipFile(wheel) as packed:
        names = [*archive.getnames(), *packed.namelist()]
    assert any(name.endswith("docs/conf.py") for name in names)
    generated = ("docs/rules/", "docs/reference/", "build/docs/", "site_pages")
    shipped = [name for name in names if any(each in name for each in generated)]
    assert all("/docs/_ext/" in name for name in shipped), shipped
