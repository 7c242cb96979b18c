"""The places that characters of a scalar have in the file."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.texts.facts import Span
from neuron_migrate.engine.texts.nodes import Mapping, Scalar
from neuron_migrate.engine.texts.readers.yaml_tree import comments, documents
from neuron_migrate.engine.texts.scalars import Part, part

TEXTS = {
    "plain": "a: run mark now\n",
    "plain over lines": "a: run\n   mark\n\n   now\n",
    "single quotes": "a: 'it''s mark'\n",
    "double quotes": 'a: "say \\"mark\\" \\t now"\n',
    "double quotes over lines": 'a: "run \\\n   mark\n   now"\n',
    "literal": "a: |\n  one\n    mark\n\n  two\n",
    "literal with an indicator": "a: |2-\n    one\n   mark\nb: c\n",
    "literal in a list": "- |\n one\n mark\n",
    "literal with CRLF": "a: |\r\n  one\r\n  mark\r\nb: c\r\n",
    "folded": "a: >-\n  one\n  mark\n\n  two\n    more\n  end\n",
    "after properties": "a: &x !!str  'mark'\n",
    "after a property on its line": "a: !!str\n  mark\n",
}


def _part(text: str) -> tuple[Part, str]:
    [root] = documents(text)
    node = root.entries[0][1] if isinstance(root, Mapping) else root.items[0]  # type: ignore[union-attr]
    assert isinstance(node, Scalar)
    found = part(node, text)
    assert found is not None
    return found, node.text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_word_is_where_it_stands(text: str) -> None:
    found, said = _part(text)
    at = found.text.index("mark")
    span = found.span(Span(at, at + len("mark")))
    assert text[span.start : span.end] == "mark"
    assert found.text.split() == said.split()
    assert len(found.places) == len(found.text) + 1


def test_a_folded_block_is_one_line_for_a_shell() -> None:
    found, _ = _part("a: >-\n  torchrun\n  train.py\n")
    assert found.text.rstrip() == "torchrun train.py"


def test_comments_are_no_parts_of_scalars() -> None:
    text = "# one\na: 'x # y'  # two\nb: |\n  # three\nc: d#e\nf: g # four\n"
    found = comments(text, documents(text))
    assert [text[each.start : each.end] for each in found] == ["# one", "# two", "# four"]
