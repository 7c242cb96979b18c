"""What `fix` writes runs on the simulated device, and computes what the text before computes.

not-equal.txt names every program that is not known to, with the reason:

* fragment: it uses names that tests/rehearse/prelude.py does not have
* library, data: it needs a package or a file that is not here
* backend: the device has no compiler of that name
* cuda: a use of CUDA is left, which is a finding without a fix
* rounding: equal to two digits, as float16 became bfloat16
* memory: a counter of device memory, which is 0 on the CPU
* before-…: the text before does not run on the CPU
* else the name of what it raises, for pieces that the prelude's values do not fit
"""

from __future__ import annotations

import pytest

from tests.rehearse import cases


def test_programs_after_fix_give_the_numbers_of_those_before() -> None:
    torch = pytest.importorskip("torch", reason="the simulated device needs torch")
    if not torch.__version__.startswith("2.13.") or torch.version.cuda:
        pytest.skip("the list is that of the CPU build of torch 2.13: others raise in other words")
    found = cases.verdicts()
    assert cases.listed(found) == cases.LIST.read_text()
    assert len(found) > 2 * len(cases.LIST.read_text().splitlines())


@pytest.mark.parametrize(
    ("after", "before", "verdict"),
    [
        ({"values": {"a": [1.0], "b": [2.0]}}, {"values": {"a": [1.0]}}, "equal"),
        ({"values": {"a": [1.0]}}, {"values": {"a": [1.01]}}, "rounding"),
        ({"values": {"a": [1.0]}}, {"values": {"a": [2.0]}}, "differs"),
        ({"values": {"a": [1.0]}}, {"values": {"a": [1.0, 1.0]}}, "differs"),
        ({"error": "NameError: name 'a'"}, {"values": {}}, "fragment"),
        ({"values": {}}, {"error": "KeyError: 'a'"}, "before-KeyError"),
    ],
)
def test_verdict(after: dict[str, object], before: dict[str, object], verdict: str) -> None:
    assert cases._verdict(after, before) == verdict
