"""Conditions on arguments: what a rule file can ask of a call."""

from __future__ import annotations

import libcst as cst
import pytest

from neuron_migrate.engine import given
from tests.engine.building import spot

HOLDS = [
    ("f(a, backend='eager')", "backend"),
    ("f(a, backend='eager')", "backend='eager'"),
    ('f(a, backend="eager")', "backend='eager'"),
    ("f(a)", "!backend"),
    ("f(a, 1)", "size:1=1"),
    ("f(a, size=1)", "size:1=1"),
    ("f(a, size=n)", "size=computed"),
    ("f(a, size=[1, 2])", "size=literal"),
    ("f(a, dtype=torch.half)", "dtype=torch.half"),
    ("f(a, size=batch_lengths)", "size=*lengths"),
    ("f('a')", "text:0=written"),
    ("f(['a', {'b': 'c'}])", "text:0=written"),
    ("f(a, size=2)", "size=number"),
]
FAILS = [
    ("f(a, backend='eager')", "!backend"),
    ("f(a, backend='eager')", "backend='inductor'"),
    ("f(a)", "backend='eager'"),
    ("f(a, size=True)", "size=1"),
    ("f(a, 1)", "size=1"),
    ("f(*a, 1)", "size:1=1"),
    ("f(a, size=1)", "size=computed"),
    ("f(a, size=n)", "size=literal"),
    ("f(a)", "text:0=written"),
    ("f([a])", "text:0=written"),
    ("f({**a})", "text:0=written"),
    ("f(f'{a}')", "text:0=written"),
    ("f(a, size=(2, 2))", "size=number"),
    ("f(a, size=n)", "size=number"),
]


@pytest.mark.parametrize(("call", "condition"), HOLDS)
def test_holds(call: str, condition: str) -> None:
    assert _holds(call, condition)


@pytest.mark.parametrize(("call", "condition"), FAILS)
def test_does_not_hold(call: str, condition: str) -> None:
    assert not _holds(call, condition)


def test_one_of_several_is_enough() -> None:
    node, here = spot("f(a, b=1)\n", "f(a, b=1)")
    assert isinstance(node, cst.Call)
    assert given.any_holds(["!b", "b=1"], node, here)
    assert not given.any_holds([], node, here)


def test_positions_are_counted_from_the_function_of_a_partial() -> None:
    node, here = spot("partial(f, 1)\n", "partial(f, 1)")
    assert isinstance(node, cst.Call)
    assert given.any_holds(["size:0=1"], node, here, shift=1)


def test_what_is_no_condition_is_refused() -> None:
    node, here = spot("f(a)\n", "f(a)")
    assert isinstance(node, cst.Call)
    with pytest.raises(ValueError, match="not a condition"):
        given.any_holds(["a b"], node, here)


def _holds(call: str, condition: str) -> bool:
    node, here = spot(f"import torch\n{call}\n", call)
    assert isinstance(node, cst.Call)
    return given.any_holds([condition], node, here)


@pytest.mark.parametrize(
    ("before", "holds"),
    [
        ("a = 'x'\n", True),
        ("b = 'x'\na = [b, 'y']\n", True),
        ("a = 'x'\na = 'y'\n", True),
        ("a = 'x'\na += 'y'\n", False),
        ("for a in texts:\n    pass\n", False),
        ("a = input()\n", False),
    ],
)
def test_a_literal_may_have_a_name(before: str, holds: bool) -> None:
    node, here = spot(f"{before}f(a)\n", "f(a)")
    assert isinstance(node, cst.Call)
    assert given.any_holds(["text:0=written"], node, here) is holds
