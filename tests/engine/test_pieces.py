from __future__ import annotations

import re

import libcst as cst
import pytest

from neuron_migrate.engine import pieces
from tests.engine.building import file_of, pieces_of

FRAGMENTS = [
    ("x = 1; y = 2\n", ["x = 1", "y = 2"]),
    ("if a:\n    b\nelif c :  # d\n    e\nelse:\n    f\n", ["if a:", "b", "if c :", "e", "f"]),
    ("if a: b; c\n", ["if a:", "b", "c"]),
    ("if (lambda: a)() or b[1:2]: pass\n", ["if (lambda: a)() or b[1:2]:", "pass"]),
    ("if a and (  # b: c\n    d\n): pass\n", ["if a and (  # b: c\n    d\n):", "pass"]),
    ("while (a := {1: 2}): break\n", ["while (a := {1: 2}):", "break"]),
    ("for a in b:\n    pass\nelse:\n    c\n", ["for a in b:", "pass", "c"]),
    (
        "async def f():\n    async for a in b: await c\n",
        ["async def f():", "async for a in b:", "await c"],
    ),
    ("with a as b, c: pass\n", ["with a as b, c:", "pass"]),
    (
        "with (\n    a as b,  # c: d\n    e,\n): pass\n",
        ["with (\n    a as b,  # c: d\n    e,\n):", "pass"],
    ),
    ("def f(): ...\n", ["def f():", "..."]),
    ("def f(  # a: b\n): ...\n", ["def f(  # a: b\n):", "..."]),
    (
        "def f(a, /, b: 'c:d' = {1: 2}, *e, **g): ...\n",
        ["def f(a, /, b: 'c:d' = {1: 2}, *e, **g):", "..."],
    ),
    ("def f(*, a) -> b[c:d] : return\n", ["def f(*, a) -> b[c:d] :", "return"]),
    ("class A: pass\n", ["class A:", "pass"]),
    ("class A():\n  x: int = 1\n", ["class A():", "x: int = 1"]),
    ("class A(B, metaclass=C): '''doc'''\n", ["class A(B, metaclass=C):", "'''doc'''"]),
    ("@a.b\n@c(1)  # d\ndef f(): pass\n", ["a.b", "c(1)", "def f():", "pass"]),
    ("@a\nclass A: pass\n", ["a", "class A:", "pass"]),
    ("try: a\nexcept: b\nfinally: c\n", ["a", "b", "c"]),
    ("try: a\nexcept B as c : d\nexcept (E, F): g\n", ["a", "B", "d", "(E, F)", "g"]),
    (
        "match a, b:\n case 1 | 2: c\n case [d, *_] if e: f\n",
        ["a, b", "1 | 2", "c", "[d, *_]", "e", "f"],
    ),
    (
        "import a, b as c; from . import (\n    d,\n)\n",
        ["import a, b as c", "from . import (\n    d,\n)"],
    ),
    ("x = 1 + \\\n    2\n", ["x = 1 + \\\n    2"]),
    ("if a:\n\tx = [\n\t\t1,\n\n\t]\n", ["if a:", "x = [\n\t\t1,\n\n\t]"]),
    ("é = 'ü'; ñ = é\n", ["é = 'ü'", "ñ = é"]),
    ("class A[T: 'a:b']: pass\n", ["class A[T: 'a:b']:", "pass"]),
    ("def f[T: 'a:b'](): pass\n", ["def f[T: 'a:b']():", "pass"]),
    ("type X[T] = int\n", ["type X[T] = int"]),
]


@pytest.mark.parametrize(("text", "expected"), FRAGMENTS, ids=[text for text, _ in FRAGMENTS])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_fragments(text: str, expected: list[str], newline: str) -> None:
    text = text.replace("\n", newline)
    found = [text[piece.start : piece.end] for piece in pieces_of(text)]
    assert found == [each.replace("\n", newline) for each in expected]


@pytest.mark.parametrize("text", [text for text, _ in FRAGMENTS])
@pytest.mark.parametrize("before", ["", "\x0c", "if ß:\n\t"], ids=["", "form-feed", "tab"])
def test_spans_are_exact(text: str, before: str) -> None:
    text = re.sub(r"\ba\b", "é", text)
    text = before + (text.replace("\n", "\n\t") if before.endswith("\t") else text)
    for piece in pieces_of(text):
        for node in piece.nodes:
            start, end = piece.span(node)
            if isinstance(node, (cst.Name, cst.SimpleString, cst.Integer)) and not node.lpar:
                written = text[start:end] == node.value
                assert written or not piece.start <= start < piece.end


@pytest.mark.parametrize("text", [text for text, _ in FRAGMENTS])
def test_nodes_outer_before_inner(text: str) -> None:
    for piece in pieces_of(text):
        seen: set[cst.CSTNode] = set()
        for node in piece.nodes:
            assert node not in seen
            assert all(parent in seen for parent in piece.ancestors(node))
            seen.add(node)


@pytest.mark.parametrize(
    ("text", "faithful"), [("x = f'{a!r}'\n", True), ("x = f'{a!r }'\n", False)]
)
def test_what_libcst_does_not_reproduce(text: str, faithful: bool) -> None:
    [piece] = pieces_of(text)
    assert piece.faithful is faithful


def test_a_statement_is_parsed_once() -> None:
    file = file_of("x = 1\n")
    assert file.pieces(file.index.statements[0]) is file.pieces(file.index.statements[0])


def test_an_unparsable_fragment() -> None:
    file = file_of("x = 1\n")
    with pytest.raises(pieces.PieceError, match="libcst cannot parse"):
        pieces.parse(file.index.statements[0], 0, 5, ("(", ")"), "x = 1\n")
