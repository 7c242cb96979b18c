from __future__ import annotations

import libcst as cst
import pytest

from neuron_migrate.engine import arguments, edits
from neuron_migrate.engine.edits import Taken
from neuron_migrate.finding import Edit
from tests.engine.building import spot

E = cst.parse_expression


def rewritten(text: str, source: str, new: str) -> list[Edit]:
    """The edits from one expression of a text to another one."""
    node, here = spot(text, source)
    return edits.node_edits(here.piece, node, edits.in_parentheses_of(node, E(new)))


SMALLEST = [
    ("x.cuda()", "x.to()", [Edit(2, 6, "to")]),
    ("f(a, b)", "f(a, c)", [Edit(5, 6, "c")]),
    ("f('cuda')", 'f("cuda")', [Edit(2, 8, '"cuda"')]),
    ("a.b.c", "d.b.c", [Edit(0, 1, "d")]),
    ("a + b", "a - b", [Edit(0, 5, "a - b")]),
    ("a", "b()", [Edit(0, 1, "b()")]),
    ("a == b", "a == c", [Edit(5, 6, "c")]),
    ("{'a': b}", "{'a': c}", [Edit(6, 7, "c")]),
    ("[a, b]", "[a, c]", [Edit(4, 5, "c")]),
    ("f(a)", "f(a)", []),
    ("f( a )", "f( b )", [Edit(3, 4, "b")]),
]


@pytest.mark.parametrize(("old", "new", "expected"), SMALLEST, ids=[old for old, _, _ in SMALLEST])
def test_the_smallest_edits(old: str, new: str, expected: list[Edit]) -> None:
    assert rewritten(f"{old}\n", old, new) == expected


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("é = 'ü😀'; x.cuda()\n", "x.cuda()", "x.to()", "é = 'ü😀'; x.to()\n"),
        ("é = 'ü'; y = (x)\n", "x", "z.w", "é = 'ü'; y = (z.w)\n"),
        ("a = (x.cuda ())\r\n", "x.cuda ()", "x.to ()", "a = (x.to ())\r\n"),
        ("not (a == b)\n", "a == b", "c == b", "not (c == b)\n"),
        ("x = (  # why\n  a()\n)\n", "a()", "b()", "x = (  # why\n  b()\n)\n"),
        ("x = ((a + b))\n", "a + b", "c", "x = ((c))\n"),
        ("if (x.cuda): pass\n", "x.cuda", "x.to", "if (x.to): pass\n"),
        ("@f(a)\ndef g(): pass\n", "a", "b", "@f(b)\ndef g(): pass\n"),
        ("try: a\nexcept (b, c): d\n", "c", "e", "try: a\nexcept (b, e): d\n"),
        ("match a:\n case b if c: d\n", "c", "e", "match a:\n case b if e: d\n"),
        ("x = [\n\ta,  # one\n\tb,\n]\n", "b", "c", "x = [\n\ta,  # one\n\tc,\n]\n"),
        ("f'{a!r:>{b}}'\n", "b", "c", "f'{a!r:>{c}}'\n"),
        ("lambda a=b: c\n", "b", "d", "lambda a=d: c\n"),
    ],
)
def test_applied_where_it_stands(text: str, old: str, new: str, expected: str) -> None:
    assert edits.apply(text, rewritten(text, old, new)) == expected


def test_same_node_needs_no_edit() -> None:
    node, here = spot("x.cuda()\n", "x.cuda()")
    assert edits.node_edits(here.piece, node, node) == []
    assert edits.node_edits(here.piece, node, node.deep_clone()) == []


ARGUMENTS = [
    ("f(a, b)", slice(0, 1), "f(a)"),
    ("f(a, b)", slice(1, 2), "f(b)"),
    ("f(a, b,)", slice(0, 1), "f(a,)"),
    ("f(a)", slice(0, 0), "f()"),
    ("f(\n    a,\n    b,\n)", slice(1, 2), "f(\n    b,\n)"),
]


@pytest.mark.parametrize(("text", "kept", "expected"), ARGUMENTS)
def test_items_of_a_list_go(text: str, kept: slice, expected: str) -> None:
    node, here = spot(f"{text}\n", text)
    assert isinstance(node, cst.Call)
    args = list(node.args)
    for gone in [arg for arg in args if arg not in args[kept]]:
        args = arguments.remove(args, gone)
    new = node.with_changes(args=args)
    assert edits.apply(text, edits.node_edits(here.piece, node, new)) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], "0123456789"),
        ([Edit(0, 1, "a")], "a123456789"),
        ([Edit(9, 10, ""), Edit(0, 0, "a")], "a012345678"),
        ([Edit(3, 3, "a"), Edit(3, 5, "b")], "012ab56789"),
        ([Edit(3, 3, "a"), Edit(3, 3, "a")], "012a3456789"),
        ([Edit(10, 10, "\n")], "0123456789\n"),
        ([Edit(2, 4, "x"), Edit(4, 6, "y")], "01xy6789"),
    ],
)
def test_apply(given: list[Edit], expected: str) -> None:
    assert edits.apply("0123456789", given) == expected


@pytest.mark.parametrize(
    ("first", "second", "fits"),
    [
        (Edit(2, 4, "a"), Edit(4, 6, "b"), True),
        (Edit(2, 4, "a"), Edit(3, 6, "b"), False),
        (Edit(2, 4, "a"), Edit(2, 4, "b"), False),
        (Edit(2, 4, "a"), Edit(2, 4, "a"), True),
        (Edit(2, 8, "a"), Edit(3, 4, "b"), False),
        (Edit(2, 8, "a"), Edit(3, 3, "b"), False),
        (Edit(2, 8, "a"), Edit(2, 2, "b"), True),
        (Edit(2, 8, "a"), Edit(8, 8, "b"), True),
        (Edit(2, 2, "a"), Edit(2, 2, "b"), False),
        (Edit(2, 2, "a"), Edit(2, 2, "a"), True),
        (Edit(2, 4, "a"), Edit(2, 5, "a"), False),
    ],
)
def test_edits_that_fit_together(first: Edit, second: Edit, fits: bool) -> None:
    for one, other in ((first, second), (second, first)):
        taken = Taken()
        assert taken.take([one])
        assert taken.take([other]) is fits


def test_taken_among_many() -> None:
    taken = Taken()
    assert taken.take([Edit(place, place + 5, "") for place in range(0, 100, 10)])
    assert not taken.take([Edit(3, 98, "")])
    assert not taken.take([Edit(51, 51, "x")])
    assert taken.take([Edit(45, 50, ""), Edit(55, 60, "")])


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("f(\n  a,  # b\n)", None, True),
        ("f(\n  a,\n)", None, False),
    ],
)
def test_loses_comment(old: str, new: None, lost: bool) -> None:
    assert edits.loses_comment(E(old), new) is lost


def test_a_comment_that_stays_is_not_lost() -> None:
    old = E("f(\n  a,  # b\n  c,\n)")
    assert isinstance(old, cst.Call)
    assert not edits.loses_comment(old, old.with_changes(func=cst.Name("g")))
    assert edits.loses_comment(old, old.with_changes(args=old.args[1:]))
