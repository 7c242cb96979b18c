from __future__ import annotations

import libcst as cst
import pytest

from neuron_migrate.engine import arguments, edits
from tests.engine.building import spot


def call(source: str) -> cst.Call:
    node = cst.parse_expression(source)
    assert isinstance(node, cst.Call)
    return node


def value(arg: cst.Arg | None) -> str | None:
    return None if arg is None else cst.Module([]).code_for_node(arg.value)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("f()", None),
        ("f(1)", "1"),
        ("f(1, 2)", "1"),
        ("f(a=1)", "1"),
        ("f(b=1)", None),
        ("f(b=1, a=2)", "2"),
        ("f(*x)", None),
        ("f(*x, a=2)", "2"),
        ("f(**x)", None),
        ("f(1, a=2)", "2"),
    ],
)
def test_find_by_keyword_or_position(source: str, expected: str | None) -> None:
    assert value(arguments.find(call(source), "a", 0)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [("f(1, 2)", "2"), ("f(1)", None), ("f(*x, 2)", None), ("f(a=1, b=2)", None)],
)
def test_positional(source: str, expected: str | None) -> None:
    assert value(arguments.positional(call(source), 1)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [("f(a)", False), ("f(*a)", True), ("f(**a)", True), ("f(a, b=c)", False)],
)
def test_has_splat(source: str, expected: bool) -> None:
    assert arguments.has_splat(call(source)) is expected


ADDED = [
    ("f()", "f(k=1)"),
    ("f( )", "f( k=1)"),
    ("f(a)", "f(a, k=1)"),
    ("f(a,)", "f(a, k=1,)"),
    ("f( a )", "f( a, k=1 )"),
    ("f(a,b)", "f(a,b,k=1)"),
    ("f(a , b)", "f(a , b , k=1)"),
    ("f(\n    a,\n)", "f(\n    a,\n    k=1,\n)"),
    ("f(\n    a\n)", "f(\n    a,\n    k=1\n)"),
    ("f(\n    a,\n    b\n)", "f(\n    a,\n    b,\n    k=1\n)"),
    ("f(\n    a,  # one\n    b,  # two\n)", "f(\n    a,  # one\n    b,  # two\n    k=1,\n)"),
    ("f(a,\n  b)", "f(a,\n  b,\n  k=1)"),
    ("f(a, **b)", "f(a, **b, k=1)"),
    ("f(x for x in y)", "f((x for x in y), k=1)"),
]


@pytest.mark.parametrize(("source", "expected"), ADDED, ids=[source for source, _ in ADDED])
def test_add(source: str, expected: str) -> None:
    node, here = spot(f"{source}\n", source)
    assert isinstance(node, cst.Call)
    args = arguments.add(node.args, "k", cst.Integer("1"), node)
    new = node.with_changes(args=args)
    assert edits.apply(source, edits.node_edits(here.piece, node, new)) == expected


REMOVED = [
    ("f(k=1)", "f()"),
    ("f( k=1 )", "f( )"),
    ("f(k=1,)", "f()"),
    ("f(a, k=1)", "f(a)"),
    ("f(k=1, a=2)", "f(a=2)"),
    ("f(a, k=1, b=2)", "f(a, b=2)"),
    ("f(a, k=1,)", "f(a,)"),
    ("f( a, k=1 )", "f( a )"),
    ("f(\n    a,\n    k=1,\n)", "f(\n    a,\n)"),
    ("f(\n    k=1,\n    a=2,\n)", "f(\n    a=2,\n)"),
    ("f(\n    a,\n    k=1\n)", "f(\n    a\n)"),
    ("f(\n    k=1,\n)", "f(\n    )"),
    ("f(a,\n  k=1)", "f(a)"),
    ("f(\n    a,  # one\n    k=1,\n    b=2,  # two\n)", "f(\n    a,  # one\n    b=2,  # two\n)"),
]


@pytest.mark.parametrize(("source", "expected"), REMOVED, ids=[source for source, _ in REMOVED])
def test_remove(source: str, expected: str) -> None:
    node, here = spot(f"{source}\n", source)
    assert isinstance(node, cst.Call)
    gone = arguments.keyword(node, "k")
    assert gone is not None
    new = node.with_changes(args=arguments.remove(node.args, gone))
    assert edits.apply(source, edits.node_edits(here.piece, node, new)) == expected
