"""Shell scripts: the variables they set and the commands they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Command, Reading, Span, Variable, Word
from neuron_migrate.engine.texts.trees import Tree, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from neuron_migrate.engine.texts.facts import Fact

_LITERAL = {"word", "raw_string", "string", "number", "concatenation"}


def read(text: str, path: str) -> Reading:
    """The facts of a script."""
    del path
    return read_part(text)


def read_part(text: str, start: int = 0) -> Reading:
    """The facts of shell code that stands at ``start`` in a file of another kind."""
    tree = Tree(text, "bash", start)
    reading = Reading()
    for node in walk(tree.root):
        if node.type == "comment":
            reading.comments.append(tree.span(node))
        elif node.type == "variable_assignment":
            reading.facts += _variable(node, tree)
        elif node.type == "command":
            reading.facts += _command(node, tree)
    return reading


def _variable(node: Node, tree: Tree) -> Iterator[Fact]:
    name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name is None or name.type != "variable_name":
        return
    text = "" if value is None else literal(value, tree)
    place = None if value is None else tree.span(value)
    yield Variable(tree.source(name), text, tree.span(node), tree.span(name), place)


def _command(node: Node, tree: Tree) -> Iterator[Fact]:
    words = [
        Word(literal(each, tree), tree.span(each))
        for each in (_inner(child) for child in node.children)
        if each.is_named
        and each.type not in {"variable_assignment", "comment"}
        and not each.type.endswith("redirect")
    ]
    if words:
        yield Command(tuple(words), Span(words[0].span.start, words[-1].span.end))


def _inner(node: Node) -> Node:
    return node.children[0] if node.type == "command_name" and node.children else node


def literal(node: Node, tree: Tree) -> str | None:
    """What a word stands for; None when that shows at run time."""
    source = tree.source(node)
    if node.type in {"word", "number"}:
        return source.replace("\\\n", "") if "\\" in source else source
    if node.type == "raw_string":
        return source[1:-1]
    if node.type == "string" and all(
        child.type in {'"', "string_content"} for child in node.children
    ):
        return source[1:-1] if "\\" not in source else None
    if node.type == "concatenation":
        parts = [literal(child, tree) for child in node.children]
        return None if None in parts else "".join(part or "" for part in parts)
    return None
