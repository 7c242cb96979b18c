from __future__ import annotations

import pytest

from tests.engine.building import AVAILABLE, DEVICE, GRAPHS, METHOD, analyzer, fixed, found

RULES = (DEVICE, METHOD, AVAILABLE, GRAPHS)
ASKED = "torch.cuda.is_available()"
GRAPH = "torch.cuda.CUDAGraph()"
KEPT = [
    f"if {ASKED}:\n    g = {GRAPH}",
    f"if {ASKED} and x:\n    g = {GRAPH}",
    f"if {ASKED}:\n    x.cuda()\n    if y:\n        g = {GRAPH}",
    f"if not {ASKED}:\n    pass\nelse:\n    g = {GRAPH}",
    f"def f():\n    if not {ASKED}:\n        return\n    g = {GRAPH}",
    f"g = {GRAPH} if {ASKED} else None",
    f"g = None if not {ASKED} else {GRAPH}",
    f"g = {ASKED} and {GRAPH}",
    f"g = not {ASKED} or {GRAPH}",
    f"while {ASKED}:\n    g = {GRAPH}",
    f"if device == 'cuda':\n    g = {GRAPH}",
    f"if device != 'cuda':\n    pass\nelse:\n    g = {GRAPH}",
]
RENAMED = [
    f"if {ASKED}:\n    x.cuda()",
    f"if {ASKED}:\n    pass\nelse:\n    pass",
    f"if {ASKED}:\n    pass\ng = {GRAPH}",
    f"if not {ASKED}:\n    g = 1",
    f"g = 1 if {ASKED} else {GRAPH}",
    f"if x or {ASKED}:\n    y = 1",
]


@pytest.mark.parametrize("code", KEPT)
def test_a_guard_of_cuda_only_code_stays(code: str) -> None:
    text = f"import torch\n{code}\n"
    assert fixed(text, *RULES) == text
    assert [each for each in found(text, *RULES) if each.endswith("-")]


@pytest.mark.parametrize("code", RENAMED)
def test_other_guards_are_renamed(code: str) -> None:
    text = f"import torch\n{code}\n"
    assert ASKED not in fixed(text, *RULES)


def test_a_kept_guard_says_where_the_reason_is() -> None:
    text = f"import torch\nif {ASKED}:\n    x = 1\n    g = {GRAPH}\n"
    guard = analyzer(*RULES).analyse(text, "a.py")[0]
    assert (guard.line, guard.fix) == (2, None)
    assert guard.not_fixed is not None
    assert "line 4" in guard.not_fixed
