from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.doctor.checks.variables import checks
from tests.doctor.building import FACTS, catalog, only, verdicts

if TYPE_CHECKING:
    from neuron_migrate.doctor.verdict import Check


def _check(variables: dict[str, str], *packages: str) -> list[Check]:
    return list(checks(variables, catalog(), FACTS, packages))


@pytest.mark.parametrize(
    ("name", "value", "verdict"),
    [
        ("CUDA_VISIBLE_DEVICES", "0,1", "problem"),
        ("CUDA_VISIBLE_DEVICES", "", "problem"),
        ("TORCH_DEVICE_BACKEND_AUTOLOAD", "0", "problem"),
        ("XLA_USE_BF16", "1", "problem"),
        ("NCCL_DEBUG", "INFO", "note"),
        ("NCCL_OF_TOMORROW", "1", "note"),
        ("TORCH_NCCL_OF_TOMORROW", "1", "note"),
        ("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True", "note"),
        ("CUDA_HOME", "/usr/local/cuda", "note"),
        ("PJRT_DEVICE", "NEURON", "note"),
        ("XLA_FLAGS", "--a", "note"),
        ("OMP_NUM_THREADS", "1", "note"),
        ("TORCH_NEURONX_DISABLE_FALLBACK_EXECUTION", "0", "note"),
        ("NEURON_RT_VISIBLE_CORES", "0-3", "ok"),
        ("NEURON_RT_LOG_LEVEL_TDRV", "INFO", "ok"),
        ("NEURON_CC_FLAGS", "-O1", "ok"),
        ("TORCH_NEURONX_NEFF_CACHE_DIR", "/cache", "ok"),
        ("NEURON_RT_OF_TOMORROW", "1", "unknown"),
    ],
)
def test_one_variable(name: str, value: str, verdict: str) -> None:
    found = _check({name: value})
    assert verdicts(found) == {name: verdict}
    assert found[0].seen == f"{name}={value}"


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"PATH": "/bin", "HOME": "/root", "LANG": "C"},
        {"TORCH_DEVICE_BACKEND_AUTOLOAD": "1"},
        {"OMP_NUM_THREADS": "8"},
    ],
)
def test_nothing_to_say(variables: dict[str, str]) -> None:
    assert _check(variables) == []


def test_the_cores_are_chosen_too() -> None:
    both = {"CUDA_VISIBLE_DEVICES": "0", "NEURON_RT_VISIBLE_CORES": "0"}
    assert verdicts(_check(both)) == {
        "CUDA_VISIBLE_DEVICES": "note",
        "NEURON_RT_VISIBLE_CORES": "ok",
    }


def test_no_device_at_all_is_for_the_program_to_say() -> None:
    assert "choose the CPU" in _check({"CUDA_VISIBLE_DEVICES": "-1"})[0].fix


@pytest.mark.parametrize(
    ("variables", "packages", "said"),
    [
        ({}, ("transformers",), True),
        ({"HF_DEACTIVATE_ASYNC_LOAD": "0"}, ("transformers",), True),
        ({"HF_DEACTIVATE_ASYNC_LOAD": "TRUE"}, ("transformers",), False),
        ({"HF_DEACTIVATE_ASYNC_LOAD": "1"}, ("transformers",), False),
        ({}, ("torch",), False),
    ],
)
def test_loading_in_threads(
    variables: dict[str, str], packages: tuple[str, ...], said: bool
) -> None:
    found = _check(variables, *packages)
    assert [check.verdict.value for check in found] == ["note"] * said


def test_a_name_that_is_nearly_one() -> None:
    found = only(_check({"NEURON_RT_VISIBLE_CORE": "0"}), "NEURON_RT_VISIBLE_CORE")
    assert found.fix == "Did you mean NEURON_RT_VISIBLE_CORES?"
