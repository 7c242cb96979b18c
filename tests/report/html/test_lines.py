"""A line of code as the page shows it."""

from __future__ import annotations

import pytest

from neuron_migrate.report.html.lines import LONGEST, likeness, runs, words


@pytest.mark.parametrize(
    ("line", "changed", "found", "shown"),
    [
        pytest.param("", [], [], "", id="empty"),
        pytest.param("abc", [], [], "abc", id="no marks"),
        pytest.param("abc", [(1, 2)], [], [[0, "a"], [1, "b"], [0, "c"]], id="changed"),
        pytest.param("abc", [], [(0, 3)], [[2, "abc"]], id="found, to the ends"),
        pytest.param("abc", [(0, 2)], [(1, 3)], [[1, "a"], [3, "b"], [2, "c"]], id="across"),
        pytest.param("abc", [], [(0, 2), (1, 2)], [[2, "ab"], [0, "c"]], id="one in the other"),
        pytest.param("a\u202e\x00b", [], [(3, 4)], [[0, "a\\u202e\\x00"], [2, "b"]], id="controls"),
        pytest.param("\ta", [], [(1, 2)], [[0, "\t"], [2, "a"]], id="tabs stay"),
    ],
)
def test_runs(line: str, changed: object, found: object, shown: object) -> None:
    assert runs(line, changed, found) == shown  # type: ignore[arg-type]


def test_of_a_long_line_the_part_with_a_mark_is_shown() -> None:
    line = "x" * 50_000 + "cuda" + "y" * 50_000
    before, found, after = runs(line, [], [(50_000, 50_004)])
    assert found == [2, "cuda"]
    assert (before[1][0], after[1][-1]) == ("\u2026", "\u2026")  # type: ignore[index]
    assert sum(len(each[1]) for each in (before, found, after)) == LONGEST + 2  # type: ignore[index]


def test_a_long_line_without_a_mark_is_cut() -> None:
    assert runs("z" * 5000) == "z" * LONGEST + "\u2026"


@pytest.mark.parametrize(
    ("old", "new", "gone", "come"),
    [
        ("x = a.cuda()", 'x = a.to("neuron")', ["cuda"], ["to", '"neuron"']),
        ("f(cuda, 1, cuda)", "f(neuron, 1, neuron)", ["cuda", "cuda"], ["neuron", "neuron"]),
        ("same", "same", [], []),
        ("f(a, b)", "f(a)", [", b"], []),
        ("import apex", "while True: pass", [], []),
    ],
)
def test_words(old: str, new: str, gone: list[str], come: list[str]) -> None:
    before, after = words(old, new)
    assert [old[start:end] for start, end in before] == gone
    assert [new[start:end] for start, end in after] == come


def test_words_of_a_minified_line_are_compared_from_both_ends() -> None:
    long = "1,a," * 5000
    old, new = f"{long}cuda;{'b ' * 900}x{long}", f"{long}neuron;{'c ' * 900}x{long}"
    [(start, end)], [_] = words(old, new)
    assert (old[start : start + 5], end) == ("cuda;", len(old) - len(long) - 2)


def test_likeness() -> None:
    assert likeness("    x = a.cuda()", "x = a.cuda()") == 1
    assert likeness("x = a.cuda()", "import torch") < 0.5 < likeness("a.cuda()", "a.neuron()")
