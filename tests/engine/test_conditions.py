"""What runs only where an accelerator is, seen through a name that raises without one."""

from __future__ import annotations

import pytest

from tests.engine.building import AVAILABLE, found

CALL = "torch.cuda.synchronize()"
ASKED = "torch.cuda.is_available()"
OUTSIDE = [
    CALL,
    f"if x: {CALL}",
    f"if not {ASKED}: {CALL}",
    f"if {ASKED}: pass\nelse: {CALL}",
    f"if {ASKED} or x: {CALL}",
    f"if {ASKED}: pass\n{CALL}",
    f"{ASKED} or {CALL}",
    f"x = 1 if {ASKED} else {CALL}",
    f"def f():\n    if {ASKED}: return\n    {CALL}",
    f"def f():\n    if not {ASKED}: x = 1\n    {CALL}",
    f"for a in b:\n    if not {ASKED}:\n        break\n{CALL}",
    f"def f():\n    if not {ASKED}: return\n{CALL}",
    f"if device != 'cuda': {CALL}",
]
INSIDE = [
    f"if {ASKED}: {CALL}",
    f"if {ASKED} and x: {CALL}",
    f"if {ASKED}:\n    for a in b:\n        {CALL}",
    f"if {ASKED}:\n    def f(): {CALL}",
    f"if x: pass\nelif {ASKED}: {CALL}",
    f"while {ASKED}: {CALL}",
    f"{ASKED} and {CALL}",
    f"x = {CALL} if {ASKED} else None",
    f"def f():\n    if not {ASKED}: return\n    {CALL}",
    f"def f():\n    if not {ASKED}:\n        raise E\n    if x:\n        {CALL}",
    f"for a in b:\n    if not {ASKED}: continue\n    {CALL}",
    f"if torch.accelerator.is_available(): {CALL}",
    f"if x.device.type == 'cuda': {CALL}",
    f'if x.device.type == "cuda": {CALL}',
]


def safety(code: str) -> str:
    """The fix of the finding about the call."""
    lines = f"import torch\n{code}\n".split("\n")
    line, column = next((n, each.index(CALL)) for n, each in enumerate(lines, 1) if CALL in each)
    findings = found("\n".join(lines), AVAILABLE, target="accelerator")
    [fix] = [each.split()[-1] for each in findings if each.startswith(f"{line}:{column + 1} ")]
    return fix


@pytest.mark.parametrize("code", OUTSIDE)
def test_may_raise_where_there_is_none(code: str) -> None:
    assert safety(code) == "unsafe"


@pytest.mark.parametrize("code", INSIDE)
def test_under_a_device_test(code: str) -> None:
    assert safety(code) == "safe"
