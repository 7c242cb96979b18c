from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.fixpoint import FixError, fix
from neuron_migrate.finding import Edit, Finding, Risk
from tests.engine.building import COMPILE, DEVICE, METHOD, analyzer, fixed

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.finding import Safety


def made(*edits: Edit, code: str = "NM101", fix: Safety | None = "safe") -> Finding:
    return Finding(
        code=code, name="a", family="device", path="a.py", line=1, column=1, end_line=1,
        end_column=1, message="", risk=Risk.BREAKS, confidence="documented", fix=fix, edits=edits,
    )  # fmt: skip


class Scripted:
    """Finds what a function says about a text."""

    def __init__(self, find: Callable[[str], list[Finding]]) -> None:
        self.find = find

    def analyse(self, text: str, path: str) -> list[Finding]:
        return self.find(text)

    def check(self, before: str, after: str, path: str) -> None:
        analyzer().check(before, after, path)


def result(text: str, find: Callable[[str], list[Finding]], *, unsafe: bool = False) -> str:
    return fix(Scripted(find), text, "a.py", unsafe=unsafe).text


def test_nothing_to_fix() -> None:
    done = fix(analyzer(), "x = 1\n", "a.py", unsafe=False)
    assert (done.text, done.first, done.left, done.applied) == ("x = 1\n", (), (), 0)


def test_what_was_found_and_what_is_left() -> None:
    text = "import torch\nx = y.cuda()\nz = torch.compile(y, **w)\n"
    done = fix(analyzer(METHOD, COMPILE), text, "a.py", unsafe=False)
    assert [each.code for each in done.first] == ["NM103", "NM201"]
    assert [each.code for each in done.left] == ["NM201"]
    assert done.applied == 1


def test_unsafe_only_when_asked() -> None:
    def find(text: str) -> list[Finding]:
        return [made(Edit(0, 1, "b"), fix="unsafe")] if text == "a" else []

    assert result("a", find) == "a"
    assert result("a", find, unsafe=True) == "b"


def test_fixes_in_each_others_way_take_turns() -> None:
    def find(text: str) -> list[Finding]:
        return [made(Edit(0, len(text), f"{text}{c}")) for c in "bc" if c not in text]

    assert result("a", find) == "abc"


def test_equal_edits_are_made_once() -> None:
    def find(text: str) -> list[Finding]:
        same = Edit(0, 0, "import os\n")
        found = [made(same, Edit(1, 1, "b")), made(same, Edit(2, 2, "c"))]
        return found if "import" not in text else []

    assert result("xyz", find) == "import os\nxbycz"


def test_a_fix_that_does_not_parse_is_refused() -> None:
    with pytest.raises(FixError, match="NM101 does not parse"):
        result("a", lambda text: [made(Edit(0, 1, "("))])


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="there is no newer syntax than its own")
def test_a_fix_that_needs_a_newer_python_is_refused() -> None:
    with pytest.raises(FixError, match="newer Python"):
        result("a", lambda text: [made(Edit(0, 1, "type X[T] = t'{1}'"))])


def test_fixes_that_do_not_end_are_refused() -> None:
    with pytest.raises(FixError, match="do not come to an end"):
        result("a", lambda text: [made(Edit(0, 0, "a"))])


@pytest.mark.parametrize(
    ("text", "line"),
    [("x = (\n", 1), ("x = 1\n\n  y = 2\n", 3), ("print 'cuda'\n", 1), ("x = '\n", 1), ("\0", 1)],
)
def test_what_is_no_python(text: str, line: int) -> None:
    with pytest.raises(AnalysisError) as raised:
        fix(analyzer(), text, "a.py", unsafe=False)
    assert raised.value.line == line


def test_absurd_nesting_is_refused() -> None:
    with pytest.raises(AnalysisError):
        fix(analyzer(), f"x = {'(' * 5000}cuda{')' * 5000}\n", "a.py", unsafe=False)


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nx = {}.to('cuda')\n".format("y" + ".half()" * 60),
        "import torch\nx = {}y.cuda(){}\n".format("[" * 60, "]" * 60),
        "import torch\nx = {} + y.to('cuda')\n".format(" + ".join("a" * 300)),
    ],
)
def test_long_chains(text: str) -> None:
    assert "cuda" not in fixed(text, DEVICE, METHOD)


def test_a_matcher_that_fails_leaves_nothing_behind() -> None:
    text = "from torch.cuda import synchronize\nsynchronize()\n"
    broken, whole = analyzer(), analyzer()
    original = broken.matchers[-1].finish
    broken.matchers[-1].finish = _fail  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        broken.analyse(text, "a.py")
    assert broken.matchers[-1].finish != original
    assert broken.analyse(text, "a.py") == whole.analyse(text, "a.py")


def _fail(file: object) -> None:
    raise ZeroDivisionError
