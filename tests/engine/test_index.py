from __future__ import annotations

import pytest

from tests.engine.building import index_of, scope_of, statement_at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# only a comment\n", []),
        ("x = 1; y = 2\n", ["Assign 1:0", "Assign 1:7"]),
        ("if a: b\nelif c: d\nelse: e\n", ["If 1:0", "Expr 1:6", "If 2:0", "Expr 2:8", "Expr 3:6"]),
        ("@a\n@b\ndef f():\n    pass\n", ["FunctionDef 1:0", "Pass 4:4"]),
        (
            "class A:\n  @a\n  async def f(): pass\n",
            ["ClassDef 1:0", "AsyncFunctionDef 2:0", "Pass 3:17"],
        ),
        (
            "try: a\nexcept B: c\nelse: d\nfinally: e\n",
            ["Try 1:0", "Expr 1:5", "ExceptHandler 2:0", "Expr 2:10", "Expr 3:6", "Expr 4:9"],
        ),
        (
            "match a:\n  case 1 if b: c\n  case _: d\n",
            ["Match 1:0", "match_case 2:7", "Expr 2:15", "match_case 3:7", "Expr 3:10"],
        ),
        ("é = 1; ü = 2\n", ["Assign 1:0", "Assign 1:8"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_statements_in_source_order(text: str, expected: list[str]) -> None:
    statements = index_of(text).statements
    found = [f"{type(each.node).__name__} {each.start[0]}:{each.start[1]}" for each in statements]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "scope", "expected"),
    [
        ("import torch.cuda", "", {"torch": ("import", "torch")}),
        ("import torch.cuda as tc", "", {"tc": ("import", "torch.cuda")}),
        (
            "from torch import cuda as c, nn",
            "",
            {"c": ("import", "torch.cuda"), "nn": ("import", "torch.nn")},
        ),
        ("from . import a", "", {"a": ("import", ".a")}),
        ("from ..b import a", "", {"a": ("import", "..b.a")}),
        ("from torch import *", "", {}),
        ("a = b = 1", "", {"a": ("assign", None), "b": ("assign", None)}),
        ("(a, [b, *c]) = x", "", dict.fromkeys("abc", ("assign", None))),
        ("a.b = a[0] = 1", "", {}),
        ("a: int", "", {"a": ("assign", None)}),
        ("a += 1", "", {"a": ("assign", None)}),
        ("for a, b in x: pass", "", dict.fromkeys("ab", ("assign", None))),
        ("with x as a, y as (b, c): pass", "", dict.fromkeys("abc", ("assign", None))),
        ("try: pass\nexcept E as e: pass", "", {"e": ("other", None)}),
        (
            "match x:\n case [A(a), *b] | {'k': c, **d}: pass\n case f as g: pass",
            "",
            dict.fromkeys("abcdfg", ("other", None)),
        ),
        ("if (a := f(b := 1)): pass", "", dict.fromkeys("ab", ("assign", None))),
        ("x = [b := 1 for _ in y]", "", dict.fromkeys("xb", ("assign", None))),
        ("type X[T] = int", "", {"X": ("assign", None)}),
        (
            "def f(a, /, b=1, *c, d: int = 2, **e): pass",
            "f",
            dict.fromkeys("abcde", ("parameter", None)),
        ),
        ("def f():\n global a\n a = b = 1", "f", {"b": ("assign", None)}),
        ("def f():\n global a\n a = 1", "", {"f": ("function", None), "a": ("assign", None)}),
        (
            "class A:\n a = 1\n def f(self): pass",
            "A",
            {"a": ("assign", None), "f": ("function", None)},
        ),
        ("async def f(): import a", "f", {"a": ("import", "a")}),
        ("if x:\n import a\nelse:\n a = None", "", {"a": ("import", "a")}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bindings(text: str, scope: str, expected: dict[str, tuple[str, str | None]]) -> None:
    bindings = scope_of(index_of(text), scope).bindings
    assert {name: (each[0].kind, each[0].target) for name, each in bindings.items()} == expected


def test_nonlocal_binds_in_the_function_that_owns_the_name() -> None:
    text = "def a():\n  x = 1\n  def b():\n    def c():\n      nonlocal x\n      x = 2\n"
    index = index_of(text)
    assert len(scope_of(index, "a").bindings["x"]) == 2
    assert "x" not in scope_of(index, "b").bindings
    assert "x" not in scope_of(index, "c").bindings


def test_values_of_parallel_assignments() -> None:
    bindings = index_of("a, b = 'cuda', x\nc, d = f()\n").module.bindings
    assert bindings["a"][0].value is not None
    assert bindings["c"][0].value is None


def test_attributes_that_the_file_gives() -> None:
    index = index_of("x.cuda = 1\nclass A:\n    def is_cuda(self): pass\ndef device(): pass\n")
    assert set(index.attributes) == {"cuda", "is_cuda"}


def test_star_imports() -> None:
    assert index_of("from torch import *\nfrom .a import *\n").star_imports == ["torch", ".a"]


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (1, 3, "ClassDef"),
        (2, 3, "FunctionDef"),
        (3, 30, "FunctionDef"),
        (4, 8, "Return"),
        (6, 1, "Assign"),
    ],
)
def test_the_statement_at_a_place(line: int, column: int, expected: str) -> None:
    index = index_of("class A:\n    @f\n    def f(self, a='é'):\n        return a\n\nx = 1  # a\n")
    found = index.at(line, column)
    assert found is not None
    assert type(found.node).__name__ == expected


def test_no_statement_before_the_first() -> None:
    assert index_of("# cuda\nx = 1\n").at(1, 2) is None


def test_ancestors_and_blocks() -> None:
    index = index_of("if a:\n    pass\nelse:\n    for b in c:\n        d\n")
    inner = statement_at(index, 5)
    assert [type(each.node).__name__ for each in inner.ancestors()] == ["For", "If"]
    assert [each.block for each in [inner, *inner.ancestors()]] == ["body", "orelse", "body"]
    assert list(inner.siblings) == [inner]
