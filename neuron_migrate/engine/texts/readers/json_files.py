"""Configurations in JSON."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts import shapes
from neuron_migrate.engine.texts.facts import ReadError, Reading, Span
from neuron_migrate.engine.texts.nodes import Mapping, Scalar, Sequence
from neuron_migrate.engine.texts.trees import Tree

if TYPE_CHECKING:
    from tree_sitter import Node as Syntax

    from neuron_migrate.engine.texts.nodes import Node

_DEPTH = 200
_LARGE = 300_000
_COMMENT = re.compile(r'("(?:[^"\\\r\n]|\\.)*")|//[^\r\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:[^"\\\r\n]|\\.)*")|,(?=\s*[\]}])')
_NESTED = re.compile(r"(?:[\[{]\s*){200}")


def read(text: str, path: str) -> Reading:
    """The facts of a configuration; a list, and a very long file, are data and none."""
    reading = Reading()
    if not text.lstrip().startswith("{") and not _COMMENT.match(text.lstrip()):
        return reading
    if len(text) > _LARGE:
        return reading
    code = _COMMENT.sub(lambda match: match[1] or _blank(match[0]), text)
    code = _LAST_COMMA.sub(lambda match: match[1] or " ", code)
    reading.comments += [
        Span(match.start(), match.end()) for match in _COMMENT.finditer(text) if not match[1]
    ]
    if not _is_one_value(code):
        return Reading()
    tree = Tree(code, "json")
    value = next((each for each in tree.root.children if each.is_named), None)
    if value is not None:
        shapes.add(_node(value, tree, 0), code, path, reading)
    return reading


def _is_one_value(code: str) -> bool:
    """Whether a text is JSON; False for one with a value on each line, which is data."""
    if _NESTED.search(code):
        raise ReadError("too deeply nested")
    try:
        json.loads(code)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and code[error.pos] in '{["':
            return False
        raise ReadError(f"not valid JSON: {error.msg}", error.pos) from error
    except RecursionError as error:
        raise ReadError("too deeply nested") from error
    except ValueError as error:  # a number with more digits than Python reads
        raise ReadError(f"not valid JSON: {error}") from error
    return True


def _node(syntax: Syntax, tree: Tree, depth: int) -> Node:
    if depth > _DEPTH:
        raise ReadError("too deeply nested", tree.span(syntax).start)
    place = tree.span(syntax)
    if syntax.type == "object":
        mapping = Mapping(place)
        for pair in syntax.named_children:
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if key is not None and value is not None:
                mapping.entries.append((_scalar(key, tree), _node(value, tree, depth + 1)))
        return mapping
    if syntax.type == "array":
        return Sequence(place, [_node(each, tree, depth + 1) for each in syntax.named_children])
    return _scalar(syntax, tree)


def _scalar(syntax: Syntax, tree: Tree) -> Scalar:
    source = tree.source(syntax)
    quoted = syntax.type == "string"
    text = json.loads(source) if quoted else source
    return Scalar(text, tree.span(syntax), '"' if quoted else "")


def _blank(comment: str) -> str:
    """As long as a comment, with its line ends."""
    return re.sub(r"[^\r\n]", " ", comment)
