from __future__ import annotations

import libcst as cst
import pytest

from neuron_migrate.engine import edits, quotes
from tests.engine.building import AVAILABLE, DEVICE, METHOD, fixed, found, spot

FITTED = [
    ('f"{X}"', '"a"', "f\"{'a'}\""),
    ("f'{X}'", "'a'", "f'{\"a\"}'"),
    ("f'{X}'", '"a"', "f'{\"a\"}'"),
    ('f"""{X}"""', '"a"', 'f"""{"a"}"""'),
    ("f'{a:{X}}'", "'a'", "f'{a:{\"a\"}}'"),
    ("f'{f(X, 1)!r}'", "g('a', b)", "f'{f(g(\"a\", b), 1)!r}'"),
    ("[X]", "f'{g(\"b\")}:0'", "[f'{g(\"b\")}:0']"),
    ("[X]", 'f"{g("b")}:0"', "[f\"{g('b')}:0\"]"),
    ("t'{X}'", "'a'", "t'{'a'}'"),
    ("f'{d['a']}' + X", "'b'", "f'{d['a']}' + 'b'"),
    ("f'{f('a', X)}'", "'b'", "f'{f('a', \"b\")}'"),
]


@pytest.mark.parametrize(
    ("place", "new", "expected"), FITTED, ids=[place for place, _, _ in FITTED]
)
def test_fit(place: str, new: str, expected: str) -> None:
    node, here = spot(f"{place}\n", "X")
    fitted = quotes.fit(cst.parse_expression(new), node, here.ancestors(node))
    assert edits.apply(place, edits.node_edits(here.piece, node, fitted)) == expected


def test_no_quotes_left() -> None:
    node, here = spot("f\"{f'{X}'}\"\n", "X")
    with pytest.raises(quotes.QuoteError):
        quotes.fit(cst.parse_expression("'a'"), node, here.ancestors(node))


def test_what_stays_is_the_same_node() -> None:
    node, here = spot("f'{X(a, b)}'\n", "X(a, b)")
    assert isinstance(node, cst.Call)
    new = node.with_changes(func=cst.parse_expression("g('c')"))
    fitted = quotes.fit(new, node, here.ancestors(node))
    assert isinstance(fitted, cst.Call)
    assert fitted.args[1] is node.args[1]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('print(f"{x.cuda()}")', "print(f\"{x.to('neuron')}\")"),
        ("print(f'{x.cuda()}')", "print(f'{x.to(\"neuron\")}')"),
        ("print(f\"{x.to('cuda')}\")", "print(f\"{x.to('neuron')}\")"),
        ('print(f"{x.to("cuda")}")', 'print(f"{x.to("neuron")}")'),
        (
            'print(f"{torch.cuda.is_available()}")',
            "print(f\"{hasattr(torch, 'neuron') and torch.neuron.is_available()}\")",
        ),
    ],
)
def test_a_rewrite_in_an_f_string(before: str, after: str) -> None:
    text = "import torch\n"
    assert fixed(f"{text}{before}\n", DEVICE, METHOD, AVAILABLE) == f"{text}{after}\n"


def test_a_rewrite_with_no_quotes_left_is_reported() -> None:
    text = "import torch\nf\"{f'{x.cuda()}'}\"\n"
    assert fixed(text, METHOD) == text
    assert found(text, METHOD) == ["2:9 NM103 -"]
