from __future__ import annotations

import ast
import re
import sys

import pytest

from neuron_migrate.engine.lowering import lower
from neuron_migrate.files.lines import LINE_END
from tests.engine.building import fixed, found

NOTHING = [
    "",
    "x = 1\n",
    "def f(x: int) -> str: ...\n",
    "class A(B[T]): ...\n",
    "type = 3; type(x); print(type)\n",
    "type: int = 3\n",
    "type in x\n",
    "try: ...\nexcept (A, B): ...\n",
    "f'{a!r:>{b}}'\n",
    "x = [*a, b * c]\nf(*a, **b)\n",
    "print 'no Python 3'\n",
]
LOWERED = [
    ("def f[T](x): ...", "def f(   x): ..."),
    ("def f[T: int](): ...", "def f(      _ ): ..."),
    ("async def f[**P, *Ts]() -> int: ...", "async def f(        _ ) -> int: ..."),
    ("class A[T]: ...", "class A(_): ..."),
    ("class A[T = 'a'](B): ...", "class A(         B): ..."),
    ("class A[T](): ...", "class A( _ ): ..."),
    ("class A[\n  T,  # a: b\n]: ...", "class A(\n           _\n): ..."),
    ("type X = int", "X      = int"),
    ("type X[T: int] = list[T]", "X              = list[T]"),
    ("type X[\n  T\n] = T", "(X     \n   \n) = T"),
    ("if a: type X[T] = T; type Y = int", "if a: X         = T; Y      = int"),
    ("type type[type] = type", "type            = type"),
    ("try: ...\nexcept* A: ...", "try: ...\nexcept  A: ..."),
    ("try: ...\nexcept A, b.C: ...", "try: ...\nexcept A| b.C: ..."),
    ("try: ...\nexcept f(A, B), C,: ...", "try: ...\nexcept f(A, B)| C : ..."),
    ("t'{a}' + rt'b'", "f'{a}' + rf'b'"),
    ("x[int, *Ts]", "x[int,  Ts]"),
    ("def f(*a: *Ts): ...", "def f(*a:  Ts): ..."),
]


F_STRINGS = [
    ('f"{d["a"]}"', 'f"{_     }"'),
    ('x = f"a{d["b"]!r:>{c}}d"', 'x = f"a{_            }d"'),
    ("f'{\"\\n\".join(a)}'", "f'{_           }'"),
    ('f"{\n  a\n}" "b"', 'f"\\\n  \\\n " "b"'),
    ('f"{\r\n  a\r\n}" "b"', 'f"\\\r\n  \\\r\n " "b"'),
    ('f"{\n\na}"', "(0 \n\n  )"),
    ('f"{a  # why }\n}"', 'f"          \\\n "'),
    ('f"""{\n "a" + """b"""}"""', 'f"""{\n_             }"""'),
]
"""Python 3.12 reads these itself."""
ALL = LOWERED if sys.version_info >= (3, 12) else [*LOWERED, *F_STRINGS]


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_to_lower(text: str) -> None:
    assert lower(text) is None


@pytest.mark.parametrize(("text", "expected"), ALL)
def test_lowered(text: str, expected: str) -> None:
    assert lower(text) == expected
    ast.parse(expected)


@pytest.mark.parametrize("text", [text for text, _ in ALL])
def test_no_character_moves(text: str) -> None:
    before = f"é = '\u2028'\r\n\x0c{text}\r\tx = 'ü'  # f'{{x'\n".replace("\r\t", "\r")
    after = lower(before)
    assert after is not None
    assert len(after) == len(before)
    assert _line_ends(after) == _line_ends(before)
    statements = ast.parse(after).body
    assert ast.unparse(statements[-1]) == "x = 'ü'"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "text",
    [
        'é = f"{d["cuda"]}"; x = y.to(DEVICE)',
        "type Dev[T] = dict[str, f(T, device=DEVICE)]",
        'def f[T: "a:b"](device=DEVICE): ...',
        "class A[T: (int, str)]: device = DEVICE",
        "class A[\n    T,\n]:\n\tdevice = DEVICE",
        "try: ...\nexcept A, B: device = DEVICE",
        "try: ...\nexcept* A: device = DEVICE",
        't"{f(device=DEVICE)}"',
        'f"{\n    f(device=DEVICE)  # why\n}"',
    ],
)
def test_newer_syntax_is_fixed(text: str, newline: str) -> None:
    before = f"import torch\n\x0c\n{text}\n".replace("\n", newline)
    after = fixed(before.replace("DEVICE", "'cuda'"))
    assert after == before.replace("DEVICE", "'neuron'")


def test_places_after_newer_syntax_are_exact() -> None:
    text = "import torch\nü = f'{d['ß']}'; x = y.to('cuda')\n"
    assert found(text) == ["2:27 NM101 safe"]


def _line_ends(text: str) -> list[int]:
    return [match.start() for match in re.finditer(LINE_END, text)]
