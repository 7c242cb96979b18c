from __future__ import annotations

import json
from itertools import product

import pytest

from neuron_migrate.engine.edits import apply
from neuron_migrate.engine.notebooks.cells import read, sources
from neuron_migrate.engine.notebooks.edits import CellEdits
from neuron_migrate.finding import Edit
from tests.engine.notebooks.building import document

CODES = [
    ["a\n", "b\n", "c"],
    ["a\n", "b\n"],
    ["a"],
    "a\nb\nc",
    ["a\nb", "\n", "", "c"],
    ['"é😀"\n', "\\\t\n", "b"],
    ["a\r\n", "b\r\n"],
]


def _edited(code: str | list[str], edits: list[Edit], **given: int) -> str:
    text = json.dumps(json.loads(document(code)), **given)
    [cell] = read(text)
    lines_at = [each.start for each in edits if each.start == each.end]
    return apply(text, CellEdits(cell, text).translated(edits, lines_at))


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("code", CODES, ids=str)
def test_every_range_can_be_replaced(code: str | list[str], ascii_only: bool) -> None:
    source = "".join(code)
    for start, end in product(range(len(source) + 1), repeat=2):
        for new in ("", "x", "x\n", "\nx", 'é"\\\n😀\n') if start <= end else ():
            found = _edited(code, [Edit(start, end, new)], ensure_ascii=ascii_only)
            assert sources(found) == {1: source[:start] + new + source[end:]}


@pytest.mark.parametrize("indent", [None, 1])
def test_edits_that_do_not_touch_do_not_touch_in_the_json(indent: int | None) -> None:
    code = ["a\n", "b\n", "c\n", "d"]
    source, starts = "".join(code), [0, 2, 4, 6, 7]
    removed = [Edit(one, two, "") for one, two in product(starts, repeat=2) if one < two]
    for removal, place in product(removed, starts):
        if removal.start < place < removal.end:
            continue
        edits = [Edit(place, place, "x\n"), removal]
        text = json.dumps(json.loads(document(code)), indent=indent)
        [cell] = read(text)
        first, second = sorted(CellEdits(cell, text).translated(edits, [place]))
        assert first.end <= second.start
        assert sources(apply(text, [first, second])) == {1: apply(source, edits)}


@pytest.mark.parametrize(
    ("edit", "lines"),
    [
        (Edit(0, 2, ""), ["b\n", "c"]),
        (Edit(2, 4, ""), ["a\n", "c"]),
        (Edit(4, 5, ""), ["a\n", "b\n"][:2]),
        (Edit(0, 5, ""), []),
        (Edit(0, 0, "x\n"), ["x\n", "a\n", "b\n", "c"]),
        (Edit(4, 4, "x\ny\n"), ["a\n", "b\n", "x\n", "y\n", "c"]),
        (Edit(6, 6, "x\n"), ["a\n", "b\n", "c\n", "x"]),
        (Edit(4, 6, "x\n"), ["a\n", "b\n", "x"]),
        (Edit(5, 5, "\nx"), ["a\n", "b\n", "c\n", "x"]),
        (Edit(1, 2, ""), ["ab\n", "c"]),
        (Edit(2, 4, "x\ny\n"), ["a\n", "x\n", "y\n", "c"]),
    ],
    ids=str,
)
def test_the_strings_stay_lines(edit: Edit, lines: list[str]) -> None:
    found = _edited(["a\n", "b\n", "c"], [edit], indent=1)
    assert json.loads(found)["cells"][0]["source"] == lines
    indented = json.dumps(json.loads(found), indent=1)
    assert found == indented


def test_escapes_beside_an_edit_stay() -> None:
    text = r'{"nbformat":4,"cells":[{"cell_type":"code","source":["\u003ca\/\ud83d\ude00 b c"]}]}'
    [cell] = read(text)
    at = cell.source.index("b")
    [edit] = CellEdits(cell, text).translated([Edit(at, at + 1, "é")])
    assert apply(text, [edit]) == text.replace(" b ", r" \u00e9 ")
