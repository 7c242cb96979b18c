from __future__ import annotations

import pytest

from neuron_migrate.engine.declined import Mark, declines_nothing, placed_by
from neuron_migrate.engine.edits import apply
from neuron_migrate.finding import Edit

TEXT = "aaaa(bbbb)cccc"
MARK = Mark("NM101", 5, 9)


@pytest.mark.parametrize(
    "edits",
    [
        [],
        [Edit(0, 4, "x")],
        [Edit(0, 0, "import os\n"), Edit(10, 14, "")],
        [Edit(5, 5, "before")],
        [Edit(9, 9, "behind"), Edit(0, 2, "")],
        [Edit(10, 12, "long text")],
    ],
)
def test_edits_around_it_move_it(edits: list[Edit]) -> None:
    moved = MARK.after(edits if edits == sorted(edits) else sorted(edits))
    assert apply(TEXT, edits)[moved.start : moved.end] == "bbbb"
    assert (moved.code, moved.loose) == ("NM101", False)


def test_an_edit_within_it_changes_its_length() -> None:
    moved = MARK.after([Edit(6, 8, "---")])
    assert apply(TEXT, [Edit(6, 8, "---")])[moved.start : moved.end] == "b---b"
    assert moved.holds("NM101", 5, 10)
    assert not moved.holds("NM101", 5, 9)
    assert not moved.holds("NM102", 5, 10)


@pytest.mark.parametrize("edit", [Edit(0, 14, "bbbb.new(x)"), Edit(3, 7, "----"), Edit(5, 9, "z")])
def test_what_another_fix_rewrote_is_declined_anywhere_in_it(edit: Edit) -> None:
    moved = MARK.after([edit])
    start = edit.start + len(edit.text) - 1
    assert moved.loose
    assert moved.holds("NM101", start, start + 1)
    assert not moved.holds("NM102", start, start + 1)
    assert not moved.holds("NM101", moved.end + 1, moved.end + 2)


def test_in_the_offsets_of_a_part() -> None:
    within = placed_by(lambda offset: offset + 5, MARK.holds)
    assert within("NM101", 0, 4)
    assert placed_by(lambda offset: 0, declines_nothing) is declines_nothing
