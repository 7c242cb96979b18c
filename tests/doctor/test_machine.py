from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from neuron_migrate.doctor import machine
from neuron_migrate.doctor.checks.machine import checks
from neuron_migrate.doctor.imds import Answer
from neuron_migrate.doctor.machine import Machine
from tests.doctor.building import FACTS, only, release, verdicts

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.doctor.verdict import Check

TRAINIUM = Machine(
    system="Linux",
    architecture="x86_64",
    distribution="Ubuntu 26.04",
    devices=("neuron0", "neuron1"),
    tools=("neuron-ls", "neuron-top"),
    instance=Answer("trn2.48xlarge"),
)


def _check(sdk: str = "2.33", **given: object) -> list[Check]:
    here = msgspec.structs.replace(TRAINIUM, **given)
    return list(checks(here, release(sdk), FACTS.sources))


def test_a_machine_that_fits() -> None:
    assert verdicts(_check()) == {
        "architecture": "ok",
        "system": "ok",
        "instance": "ok",
        "devices": "ok",
        "tools": "ok",
    }


def test_a_laptop() -> None:
    found = _check(
        system="Darwin", architecture="arm64", distribution="", devices=(), tools=(), instance=None
    )
    assert verdicts(found) == {
        "architecture": "problem",
        "instance": "unknown",
        "devices": "unknown",
        "tools": "unknown",
    }
    assert "not asked" in only(found, "instance").seen


@pytest.mark.parametrize(
    ("distribution", "verdict"),
    [
        ("Ubuntu 26.04", "ok"),
        ("Ubuntu 24.04", "ok"),
        ("Ubuntu 22.04", "unknown"),
        ("Ubuntu 20.04", "problem"),
        ("Amazon Linux 2023", "problem"),
        ("", "unknown"),
    ],
)
def test_systems(distribution: str, verdict: str) -> None:
    assert verdicts(_check(distribution=distribution))["system"] == verdict


def test_sources_that_contradict_each_other_are_told() -> None:
    assert not only(_check(), "system").disputed
    claims = only(_check(distribution="Ubuntu 22.04"), "system").disputed
    assert {"has ended" in claim.says for claim in claims} == {True, False}


@pytest.mark.parametrize(
    ("instance", "verdict"),
    [
        (Answer("trn2.3xlarge"), "ok"),
        (Answer("trn2u.48xlarge"), "ok"),
        (Answer("trn3.48xlarge"), "ok"),
        (Answer("trn1.32xlarge"), "problem"),
        (Answer("trn1n.32xlarge"), "problem"),
        (Answer("inf2.xlarge"), "problem"),
        (Answer("p5.48xlarge"), "problem"),
        (Answer(problem="no answer within 2 seconds"), "unknown"),
        (None, "unknown"),
    ],
)
def test_instances(instance: Answer | None, verdict: str) -> None:
    assert verdicts(_check(instance=instance))["instance"] == verdict


def test_the_old_lineage_is_named_for_its_instances() -> None:
    assert "XLA" in only(_check(instance=Answer("trn1.2xlarge")), "instance").fix


def test_trainium_without_devices_lacks_the_driver() -> None:
    assert "aws-neuronx-dkms" in only(_check(devices=()), "devices").fix
    assert verdicts(_check(devices=()))["devices"] == "problem"
    assert verdicts(_check(devices=(), instance=None))["devices"] == "unknown"


def test_tools_that_the_path_does_not_lead_to() -> None:
    found = only(_check(tools=(), hidden_tools=("neuron-ls",)), "tools")
    assert (found.verdict.value, found.fix) == ("note", "export PATH=/opt/aws/neuron/bin:$PATH")
    assert verdicts(_check(tools=()))["tools"] == "note"


def test_releases_whose_matrix_is_not_known() -> None:
    found = verdicts(_check("2.31"))
    assert (found["system"], found["instance"]) == ("unknown", "unknown")


def _root(path: Path, text: str, file: str = "etc/os-release") -> Path:
    (path / file).parent.mkdir(parents=True)
    (path / file).write_bytes(text.encode("latin-1"))
    return path


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('NAME="Ubuntu"\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04.2 LTS"\n', "Ubuntu 24.04"),
        ("NAME='Ubuntu'\r\nVERSION_ID=26.04\r\n", "Ubuntu 26.04"),
        ("NAME=Arch\n", "Arch"),
        ("# nothing\n\n", ""),
        ("NAME=\xff\xfe\nVERSION_ID=1\n", "\ufffd\ufffd 1"),
    ],
)
def test_os_release(tmp_path: Path, text: str, name: str) -> None:
    assert machine.look(_root(tmp_path, text)).distribution == name


def test_os_release_in_its_other_place(tmp_path: Path) -> None:
    root = _root(tmp_path, "NAME=Ubuntu\nVERSION_ID=24.04\n", "usr/lib/os-release")
    assert machine.look(root).distribution == "Ubuntu 24.04"


def test_devices_and_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    for name in ("dev/neuron0", "dev/neuron11", "dev/neuronx", "opt/aws/neuron/bin/neuron-top"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    tool = tmp_path / "bin/neuron-ls"
    tool.parent.mkdir()
    tool.touch(mode=0o755)
    found = machine.look(tmp_path)
    assert found.devices == ("neuron0", "neuron11")
    assert (found.tools, found.hidden_tools) == (("neuron-ls",), ("neuron-top",))


def test_a_machine_without_anything(tmp_path: Path) -> None:
    found = machine.look(tmp_path)
    assert (found.distribution, found.devices, found.instance) == ("", (), None)
