"""Which lines stand beside each other."""

from __future__ import annotations

import pytest

from neuron_migrate.report.html.alignment import aligned


def table(before: str, after: str) -> list[tuple[str, str, str]]:
    old, new = before.split(), after.split()
    return [
        (
            "-" if pair.old is None else old[pair.old],
            "=" if pair.same else "|",
            "-" if pair.new is None else new[pair.new],
        )
        for pair in aligned(old, new)
    ]


@pytest.mark.parametrize(
    ("before", "after", "rows"),
    [
        ("", "", []),
        ("a", "a", ["a=a"]),
        ("a b", "a c", ["a=a", "b|c"]),
        ("a b", "b", ["a|-", "b=b"]),
        ("b", "a b", ["-|a", "b=b"]),
        ("a b c", "x", ["a|x", "b|-", "c|-"]),
        ("a", "x y", ["a|x", "-|y"]),
        ("x.cuda()", "import x.neuron()", ["-|import", "x.cuda()|x.neuron()"]),
        ("f.cuda() gone", "new f.neuron() g h", ["-|new", "f.cuda()|f.neuron()", "gone|g", "-|h"]),
    ],
)
def test_rows(before: str, after: str, rows: list[str]) -> None:
    assert ["".join(row) for row in table(before, after)] == rows


@pytest.mark.parametrize("size", [300, 3000])
def test_every_line_is_there_once_and_in_order(size: int) -> None:
    before = [f"line {number % 7}" for number in range(size)]
    after = [line.replace("3", "x") for line in before if line != "line 5"]
    pairs = [*aligned(before, after)]
    assert [pair.old for pair in pairs if pair.old is not None] == [*range(len(before))]
    assert [pair.new for pair in pairs if pair.new is not None] == [*range(len(after))]
    for pair in pairs:
        if pair.old is not None and pair.new is not None:
            assert pair.same == (before[pair.old] == after[pair.new])
