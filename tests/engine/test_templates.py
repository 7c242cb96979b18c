from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst
import pytest

from neuron_migrate.engine import edits, templates
from tests.engine.building import spot

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULE = cst.Module([])
PLACES = [
    "X",
    "not X",
    "-X",
    "X and a",
    "a and X",
    "X or a",
    "a or X",
    "a == X",
    "X == a",
    "a < X < b",
    "X in a",
    "a in X",
    "X + a",
    "a - X",
    "X ** a",
    "a ** X",
    "X.a",
    "X()",
    "X[a]",
    "a[X]",
    "a[X:b]",
    "f(X)",
    "f(a=X)",
    "f(*X)",
    "f(**X)",
    "[*X]",
    "{**X}",
    "{X: a}",
    "{a: X}",
    "(X, a)",
    "X if a else b",
    "a if X else b",
    "a if b else X",
    "lambda: X",
    "lambda a=X: a",
    "[X for a in b]",
    "[a for a in X]",
    "[a for a in b if X]",
    "[a for a in b if X for c in d]",
    "await X",
    "(a := X)",
    "(yield X)",
    "f'{X}'",
    "f'{X!r:>5}'",
    "f'{a:{X}}'",
]
NEW = [
    "n",
    "n.m",
    "n()",
    "n or m",
    "n and m",
    "not n",
    "n == m",
    "n < m < o",
    "n not in m",
    "n + m",
    "-n",
    "n ** m",
    "n if m else o",
    "await n",
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("new", NEW)
def test_parentheses_where_they_are_needed(place: str, new: str) -> None:
    node, here = spot(f"{place}\n", "X")
    filled = templates.parenthesize_for(cst.parse_expression(new), node, here.parent(node))
    after = edits.apply(place, edits.node_edits(here.piece, node, filled))
    assert _meaning(after) == _meaning(place.replace("X", f"({new})"))


@pytest.mark.parametrize(
    ("place", "new", "expected"),
    [
        ("f(X)", "n and m", "f(n and m)"),
        ("x = X", "n and m", "x = n and m"),
        ("not X", "n and m", "not (n and m)"),
        ("not X", "n == m", "not (n == m)"),
        ("not X", "n()", "not n()"),
        ("a and X", "n and m", "a and n and m"),
        ("a or X", "n and m", "a or (n and m)"),
        ("a if X else b", "n and m", "a if n and m else b"),
        ("(X)", "n and m", "(n and m)"),
        ("not (X)", "n and m", "not (n and m)"),
        ("X.a", "n()", "n().a"),
        ("if X: pass", "n and m", "if n and m: pass"),
        ("while not X: pass", "n", "while not n: pass"),
        ("assert X, a", "n and m", "assert n and m, a"),
        ("return X", "n and m", "return n and m"),
    ],
)
def test_no_more_parentheses_than_people_write(place: str, new: str, expected: str) -> None:
    node, here = spot(f"def f():\n    {place}\n", "X")
    filled = templates.parenthesize_for(cst.parse_expression(new), node, here.parent(node))
    filled_in = edits.node_edits(here.piece, node, filled)
    assert edits.apply(here.file.text, filled_in) == f"def f():\n    {expected}\n"


def built(
    template: str, quote: str = '"', roots: dict[str, str] | None = None, call: str = "f()"
) -> str:
    node = cst.parse_expression(call)
    assert isinstance(node, cst.Call)
    args = list(node.args)
    filled = templates.build(
        template,
        quote=quote,
        root=lambda name: (roots or {}).get(name, name),
        nodes={str(place): arg.value for place, arg in enumerate(args)} | {"self": cst.Name("me")},
        args=args,
    )
    return MODULE.code_for_node(filled)


@pytest.mark.parametrize(
    ("template", "call", "expected"),
    [
        ("torch.a", "f()", "th.a"),
        ("torch.a.torch", "f()", "th.a.torch"),
        ("g(torch=torch)", "f()", "g(torch=th)"),
        ("g({args})", "f()", "g()"),
        ("g({args})", "f(a, b=c)", "g(a, b=c)"),
        ("g({args})", "f(a, *b, **c)", "g(a, *b, **c)"),
        ("g(1, {args})", "f()", "g(1)"),
        ("g(1, {args})", "f(a)", "g(1, a)"),
        ("g({args}, k=1)", "f(a)", "g(a, k=1)"),
        ("g({args}, k=1)", "f()", "g(k=1)"),
        ("g({1}, {0})", "f(a, b)", "g(b, a)"),
        ("{self}.g({args})", "f(a)", "me.g(a)"),
        ("{self}.type == 'x'", "f()", 'me.type == "x"'),
        ("'a\\n'", "f()", "'a\\n'"),
        ("'a\"'", "f()", "'a\"'"),
    ],
)
def test_build(template: str, call: str, expected: str) -> None:
    assert built(template, roots={"torch": "th"}, call=call) == expected


@pytest.mark.parametrize(
    ("template", "quote", "expected"),
    [("'a'", '"', '"a"'), ('"a"', "'", "'a'"), ("'''a'''", '"', "'''a'''"), ("r'a'", '"', 'r"a"')],
)
def test_quotes_of_the_file(template: str, quote: str, expected: str) -> None:
    assert built(template, quote) == expected


@pytest.mark.parametrize("template", ["", "a b", "a = 1", "{args}}", "import a"])
def test_not_an_expression(template: str) -> None:
    with pytest.raises(ValueError, match="not a Python expression"):
        templates.parse(template)


def _meaning(text: str) -> str:
    """The syntax tree, where ``a or (b or c)`` is ``a or b or c``."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):
            node.values = list(_flat(node))
    return ast.dump(tree)


def _flat(node: ast.BoolOp) -> Iterator[ast.expr]:
    for value in node.values:
        if isinstance(value, ast.BoolOp) and type(value.op) is type(node.op):
            yield from _flat(value)
        else:
            yield value
