"""What a node in the tree of a script is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from neuron_migrate.engine.texts.trees import Tree

_USES = frozenset({"simple_expansion", "expansion", "declaration_command", "unset_command"})
_CLOSING = frozenset({"fi", "done", "esac", ")", "}", "]]", '"'})
_VALID = frozenset({"", "$", "<<"})
"""What the grammar takes for an error in good scripts."""


def is_problem(node: Node, tree: Tree) -> bool:
    """Whether a shell does not understand it either: the grammar misses a few things."""
    if not (node.is_missing or node.type == "ERROR") or _is_in_expansion(node):
        return False
    if node.is_missing:
        return node.type in _CLOSING
    return tree.source(node).strip("\\ \t\r\n") not in _VALID


def _is_in_expansion(node: Node | None) -> bool:
    while node is not None and node.type != "expansion":
        node = node.parent
    return node is not None


def is_use(name: Node) -> bool:
    """Whether a name stands for a variable that is asked for, handed on or taken away."""
    parent = name.parent
    if parent is not None and parent.type == "subscript":
        parent = parent.parent
    return parent is not None and parent.type in _USES
