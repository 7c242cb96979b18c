"""Where the variable for loading without threads is set, and where it is not."""

from __future__ import annotations

import pytest

from tests.cases import analyzer

LOAD = "from transformers import AutoModel\nmodel = AutoModel.from_pretrained('bert')\n"


def found(text: str, path: str) -> list[str]:
    return [each.code for each in analyzer("neuron").analyse(text, path)]


def test_a_module_is_told() -> None:
    assert found(LOAD, "train.py") == ["NM315"]


def test_a_stub_runs_nothing() -> None:
    assert found(LOAD, "train.pyi") == []


@pytest.mark.parametrize(
    "line",
    [
        'os.environ["HF_DEACTIVATE_ASYNC_LOAD"] = "1"',
        "os.environ.update(HF_DEACTIVATE_ASYNC_LOAD='1')",
        'os.putenv("HF_DEACTIVATE_ASYNC_LOAD", "1")  # before any load',
    ],
)
def test_a_module_that_sets_it_is_left(line: str) -> None:
    assert found(f"import os\n{line}\n{LOAD}", "train.py") == []


def test_several_loads_are_one_finding() -> None:
    assert found(LOAD + "other = AutoModel.from_pretrained('gpt2')\n", "train.py") == ["NM315"]
