"""Where a dtype decides what is computed, and where it is only named."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.building import analyzer

DOUBLE: dict[str, Any] = {
    "code": "NM611",
    "triggers": ["double", "float64"],
    "match": {"kind": "dtype", "dtypes": ["torch.float64"], "methods": [".double"]},
}
HALF: dict[str, Any] = {
    "code": "NM615",
    "triggers": ["half", "float16"],
    "match": {"kind": "dtype", "dtypes": ["torch.float16"], "guarded": True, "cuda_only": True},
}
COMPUTED = [
    "x.double()",
    "x.to(torch.float64)",
    "x.to(device, dtype=torch.float64)",
    "torch.zeros(2, dtype=torch.float64, device=d)",
    "torch.nn.Linear(1, 1, dtype=torch.float64)",
    "torch.set_default_dtype(torch.float64)",
    "x.to(torch.float64 if exact else torch.float32)",
]
ADVICE = [
    "torch.zeros(2, dtype=torch.float64)",
    "dtype = torch.float64",
    "def f(dtype=torch.float64): pass",
    "load(freqs_dtype=torch.float64)",
]
NAMED = [
    "x.dtype == torch.float64",
    "NAMES = {'double': torch.float64}",
    "torch.finfo(torch.float64)",
    "x.cpu().double()",
    "x.double().cpu()",
    "x.to('cpu').to(torch.float64)",
    "torch.zeros(2, dtype=torch.float64, device='cpu')",
    "frame.double('key')",
]


@pytest.mark.parametrize("line", COMPUTED)
def test_is_reported(line: str) -> None:
    assert _advice(line) == [False]


@pytest.mark.parametrize("line", ADVICE)
def test_is_advice(line: str) -> None:
    assert _advice(line) == [True]


@pytest.mark.parametrize("line", NAMED)
def test_is_left_alone(line: str) -> None:
    assert _advice(line) == []


def test_a_guarded_one_needs_a_test_around_it() -> None:
    assert _advice("dtype = torch.float16", HALF) == []
    assert _advice("dtype = torch.float16 if torch.cuda.is_available() else None", HALF) == [True]


def _advice(line: str, rule: dict[str, Any] = DOUBLE) -> list[bool]:
    findings = analyzer(rule).analyse(f"import torch\n{line}\n", "a.py")
    return [finding.advice for finding in findings]
