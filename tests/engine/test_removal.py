"""Whole statements that go, seen through a call that has no equal."""

from __future__ import annotations

import pytest

from tests.engine.building import MARK, fixed, found

GONE = "torch_xla.mark_step()"
REMOVED = [
    ("GONE\n", ""),
    ("GONE", ""),
    ("a\nGONE\nb\n", "a\nb\n"),
    ("a\nGONE", "a\n"),
    ("a\n\nGONE\n\nb\n", "a\n\n\nb\n"),
    ("if a:\n    GONE\n    b\n", "if a:\n    b\n"),
    ("if a:\n    b\n    GONE\nc\n", "if a:\n    b\nc\n"),
    ("if a:\n\tGONE\n\tb\n", "if a:\n\tb\n"),
    ("if a:\n    GONE\n", "if a:\n    pass\n"),
    ("if a:\n    GONE\nelse:\n    b\n", "if a:\n    pass\nelse:\n    b\n"),
    ("if a:\n    b\nelse:\n    GONE\n", "if a:\n    b\nelse:\n    pass\n"),
    ("if a:\n    GONE\n    GONE\n", "if a:\n    pass\n"),
    ("if a: GONE\n", "if a: pass\n"),
    ("if a: GONE; b\n", "if a: pass; b\n"),
    ("a; GONE\n", "a; pass\n"),
    ("GONE; a\n", "pass; a\n"),
    ("GONE;\n", "pass;\n"),
    (
        "try:\n    GONE\nexcept E:\n    GONE\nfinally:\n    GONE\n",
        "try:\n    pass\nexcept E:\n    pass\nfinally:\n    pass\n",
    ),
    ("for a in b:\n    GONE\n", "for a in b:\n    pass\n"),
    ("with a:\n    GONE\n", "with a:\n    pass\n"),
    ("def f():\n    GONE\n", "def f():\n    pass\n"),
    ("def f():\n    '''Doc.'''\n    GONE\n", "def f():\n    '''Doc.'''\n"),
    ("class A:\n    GONE\n", "class A:\n    pass\n"),
    ("match a:\n    case b:\n        GONE\n", "match a:\n    case b:\n        pass\n"),
    ("torch_xla.mark_step(\n)\na\n", "a\n"),
    ("(GONE)\na\n", "a\n"),
    ("a \\\n  + b\nGONE\n", "a \\\n  + b\n"),
    ("\x0c\nGONE\na\n", "\x0c\na\n"),
    ("'é\u2028'; GONE\n", "'é\u2028'; pass\n"),
]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize(("body", "expected"), REMOVED, ids=[body for body, _ in REMOVED])
def test_removed(body: str, expected: str, newline: str) -> None:
    before = f"import torch_xla\n{body}".replace("GONE", GONE).replace("\n", newline)
    assert fixed(before, MARK) == f"import torch_xla\n{expected}".replace("\n", newline)


def test_a_value_that_is_used_stays() -> None:
    text = f"import torch_xla\nx = {GONE}\n"
    assert fixed(text, MARK) == text
    assert found(text, MARK) == ["2:5 NM401 -"]


@pytest.mark.parametrize("line", [f"{GONE}  # why", "torch_xla.mark_step(  # why\n)"])
def test_a_comment_is_not_lost_without_asking(line: str) -> None:
    text = f"import torch_xla\n{line}\n"
    assert fixed(text, MARK) == text
    assert fixed(text, MARK, unsafe=True) == "import torch_xla\n"


def test_a_comment_above_stays() -> None:
    text = f"import torch_xla\n# why\n{GONE}\nx = 1\n"
    assert fixed(text, MARK) == "import torch_xla\n# why\nx = 1\n"
