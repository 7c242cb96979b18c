from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.doctor import packages, probe
from neuron_migrate.doctor.checks.packages import checks
from neuron_migrate.errors import UsageError
from tests.doctor.building import FACTS, catalog, environment, only, release, verdicts

if TYPE_CHECKING:
    from neuron_migrate.doctor.verdict import Check


def _check(
    *installed: str,
    python: str = "3.13.1",
    sdk: str = "2.33",
    isolated: bool = False,
    on_neuron: bool = False,
    cuda: str = "",
) -> list[Check]:
    found = environment(*installed, python=python, isolated=isolated, cuda=cuda)
    return list(checks(found, catalog(sdk), release(sdk), FACTS, on_neuron=on_neuron))


_RUNTIME = ("cublas", "cudnn", "cufft", "curand", "nccl", "nvtx")
GOOD = ("torch 2.14.0+cpu", "torch-neuronx 2.14.3.0.1234+abc")


def test_an_environment_that_fits() -> None:
    found = _check(*GOOD, "transformers 5.24.0", "accelerate 1.15.0", "numpy 2.3.0")
    assert verdicts(found) == {
        "python": "ok",
        "torch": "ok",
        "torch-neuronx": "ok",
        "family": "ok",
        "transformers": "ok",
        "accelerate": "ok",
    }


def test_nothing_installed() -> None:
    assert verdicts(_check()) == {"python": "ok", "torch": "unknown", "torch-neuronx": "unknown"}
    assert verdicts(_check(on_neuron=True))["torch-neuronx"] == "problem"


def test_an_environment_for_the_tool_alone_says_nothing_about_a_project() -> None:
    found = _check(python="3.11.2", isolated=True, on_neuron=True)
    assert "python" not in verdicts(found)
    assert verdicts(found) == {
        "environment": "note",
        "torch": "unknown",
        "torch-neuronx": "unknown",
    }
    assert "--python" in only(found, "environment").fix


@pytest.mark.parametrize(
    ("python", "verdict"),
    [
        ("3.11.9", "problem"),
        ("3.12.0", "ok"),
        ("3.14.2", "ok"),
        ("3.15.0", "problem"),
    ],
)
def test_python(python: str, verdict: str) -> None:
    assert verdicts(_check(python=python))["python"] == verdict


def test_what_the_sources_say_about_python_differs() -> None:
    assert len(only(_check(python="3.11.9"), "python").disputed) >= 2


@pytest.mark.parametrize(
    ("torch", "plugin", "verdict"),
    [
        ("2.13.0", "2.13.3.0.99", "ok"),
        ("2.14.0", "2.13.3.0.99", "problem"),
        ("2.13.1+cu130", "2.14.3.0", "problem"),
    ],
)
def test_the_plugin_goes_with_one_minor_release_of_torch(
    torch: str, plugin: str, verdict: str
) -> None:
    found = _check(f"torch {torch}", f"torch-neuronx {plugin}")
    assert verdicts(found)["family"] == verdict


def test_the_plugin_for_the_torch_that_is_there() -> None:
    assert 'torch-neuronx==2.13.*"' in only(_check("torch 2.13.0"), "torch-neuronx").fix
    assert 'torch-neuronx==2.14.*"' in only(_check("torch 2.4.0"), "torch-neuronx").fix


def test_the_placeholder() -> None:
    found = _check("torch 2.14.0", "torch-neuronx 1.0")
    check = only(found, "torch-neuronx")
    assert check.verdict.value == "problem"
    assert "placeholder" in check.means
    assert "--extra-index-url https://pip.repos.neuron.amazonaws.com" in check.fix
    assert "family" not in verdicts(found)


def test_the_plugin_of_the_old_lineage() -> None:
    check = only(_check("torch 2.9.0", "torch-neuronx 2.9.0.2.15.32035"), "torch-neuronx")
    assert check.verdict.value == "problem"
    assert "torch-xla" in check.means


@pytest.mark.parametrize(
    "package",
    [
        "torch_xla 2.9.0",
        "libneuronxla 2.2.12677.0",
        "optimum-neuron 0.4.5",
        "neuronx_distributed 0.15.22404",
    ],
)
def test_leftovers_that_libraries_choose_instead(package: str) -> None:
    check = only(_check(*GOOD, package), "NM831")
    assert check.verdict.value == "problem"
    assert "Accelerate" in check.means
    assert check.fix == f"pip uninstall {package.split(' ')[0].replace('_', '-')}"


@pytest.mark.parametrize(
    ("package", "verdict"),
    [
        ("transformers 4.57.1", "problem"),
        ("transformers 5.4.0", "ok"),
        ("accelerate 1.12.0", "problem"),
        ("accelerate 1.13.0", "ok"),
        ("diffusers 0.35.2", "problem"),
        ("diffusers 0.42.1", "ok"),
        ("trl 1.16.0", "unknown"),
        ("peft 0.21.2", "unknown"),
        ("transformers unknown-version", "unknown"),
    ],
)
def test_libraries_that_know_the_device(package: str, verdict: str) -> None:
    assert verdicts(_check(*GOOD, package))[package.split(" ")[0]] == verdict


def test_packages_for_cuda_do_no_harm_by_being_there() -> None:
    found = _check(*GOOD, "flash_attn 2.6.3", "xformers 0.0.28", "bitsandbytes 0.45.0")
    (attention,) = [each for each in found if "flash-attn" in each.seen]
    assert attention.verdict.value == "note"
    assert attention.seen == "flash-attn 2.6.3, xformers 0.0.28"
    assert not [each for each in found if each.verdict.value == "problem"]


def test_many_packages_of_a_kind_are_one_line() -> None:
    found = _check(*GOOD, *(f"nvidia-{name}-cu12 12.1" for name in _RUNTIME))
    (check,) = [each for each in found if each.seen.startswith("nvidia-")]
    assert check.seen.endswith(" and 2 more")


@pytest.mark.parametrize(("torch", "cuda"), [("2.14.0", "13.0"), ("2.14.0+cu130", "")])
def test_a_build_for_cuda_is_a_note(torch: str, cuda: str) -> None:
    found = _check(f"torch {torch}", "torch-neuronx 2.14.3.0", cuda=cuda)
    assert verdicts(found)["cuda-build"] == "note"
    assert verdicts(found)["torch"] == "ok"


def test_a_release_whose_matrix_is_not_known() -> None:
    found = _check("torch 2.4.0", "torch-xla 2.8.0", sdk="2.31")
    assert verdicts(found) == {"torch-neuronx": "unknown", "NM831": "problem"}


def _installed(folder: Path, name: str, version: str) -> None:
    metadata = folder / f"{name}-{version}.dist-info/METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of distributions that is all an interpreter finds."""
    folder = tmp_path / "site-packages"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])
    return folder


def test_what_is_installed(site: Path) -> None:
    _installed(site, "Torch_NeuronX", "2.14.3.0")
    _installed(site, "torch", "2.14.0")
    (site / "torch").mkdir()
    (site / "torch/version.py").write_text(
        "raise SystemExit\n__version__ = '2.14.0'\ncuda: Optional[str] = '13.0'\nhip = None\n"
    )
    (site / "left-1.0.dist-info").mkdir()
    found = packages.look(None)
    assert [tuple(msg) for msg in probe.look()["distributions"]] == [  # type: ignore[attr-defined]
        ("Torch_NeuronX", "2.14.3.0"),
        ("torch", "2.14.0"),
    ]
    assert found.cuda == "13.0"
    assert [Path(each).name for each in found.unreadable] == ["left-1.0.dist-info"]


def test_the_first_of_a_name_is_the_one_that_is_imported(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    _installed(site, "torch", "2.14.0")
    _installed(other, "torch", "2.4.0")
    monkeypatch.setattr(sys, "path", [str(site), str(other)])
    assert [each.version for each in packages.look(None).distributions] == ["2.14.0"]


@pytest.mark.parametrize(
    "version", ["cuda = None", "cuda: Optional[str] = None", "", "debug = False\n#cuda = '1'"]
)
def test_a_build_for_the_cpu(site: Path, version: str) -> None:
    _installed(site, "torch", "2.14.0")
    (site / "torch").mkdir()
    (site / "torch/version.py").write_text(version)
    assert packages.look(None).cuda == ""


def test_another_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(tmp_path, "torch", "2.14.0")
    (tmp_path / "json.py").write_text("raise SystemExit('imported from the working folder')")
    monkeypatch.chdir(tmp_path)
    found = packages.look(sys.executable)
    assert found.chosen == "named by --python"
    assert found.version.startswith(f"3.{sys.version_info[1]}.")
    monkeypatch.setenv("PYTHONPATH", str(_site_alone(tmp_path)))
    assert "here" in [each.name for each in packages.look(sys.executable).distributions]


def _site_alone(path: Path) -> Path:
    folder = path / "alone"
    _installed(folder, "here", "1")
    return folder


def test_an_environment_is_named_by_its_folder() -> None:
    assert packages.look(sys.prefix).prefix == sys.prefix


def _script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("echo 3.12", "did not answer as a Python interpreter"),
        ("true", "did not answer as a Python interpreter"),
        ("echo '[1]'", "did not answer as a Python interpreter"),
        ("echo no such thing >&2; exit 3", "no such thing"),
        ("exit 3", "status 3"),
        ("sleep 5", "did not answer within"),
    ],
)
def test_interpreters_that_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    monkeypatch.setattr(packages, "_SECONDS", 0.5)
    with pytest.raises(UsageError, match=reason):
        packages.look(_script(tmp_path / "python", text))


def test_no_such_interpreter(tmp_path: Path) -> None:
    for name in ("no-such-python", str(tmp_path / "python"), str(tmp_path)):
        with pytest.raises(UsageError, match="cannot look into the packages"):
            packages.look(name)


def test_an_environment_of_the_tool_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "uv-receipt.toml").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    assert packages.look(None).isolated
    active = tmp_path / "project"
    (active / "bin").mkdir(parents=True)
    (active / "bin/python").symlink_to(sys.executable)
    monkeypatch.setenv("VIRTUAL_ENV", str(active))
    found = packages.look(None)
    assert (found.isolated, found.chosen.split(" ")[0]) == (False, "VIRTUAL_ENV")


def test_the_active_environment_is_named_where_it_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").touch()
    assert packages.look(None).chosen == "it runs neuron-migrate"
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    assert packages.look(None).chosen == "it runs neuron-migrate"
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    assert '--python "$VIRTUAL_ENV"' in packages.look(None).chosen
