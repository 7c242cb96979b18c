"""Concrete syntax trees by tree-sitter, with places in characters of the text."""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tree_sitter import Language, Parser

from neuron_migrate.engine.texts.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_LATER_BYTE = re.compile(rb"[\x80-\xbf]")
"""What is not the first byte of a character."""


class Tree:
    """The tree of a text in one of the languages that a grammar is installed for."""

    def __init__(self, text: str, language: str, start: int = 0) -> None:
        """``start`` is where the text begins in the file that places are given in."""
        self._data = text.encode("utf-8", "surrogatepass")
        self._later = [each.start() for each in _LATER_BYTE.finditer(self._data)]
        self._start = start
        self.root = _parser(language).parse(self._data).root_node

    def span(self, node: Node) -> Span:
        """Where a node stands in the file."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> Span:
        """The place of a range of bytes."""
        return Span(self._offset(start) + self._start, self._offset(end) + self._start)

    def source(self, node: Node) -> str:
        """The text of a node."""
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "surrogatepass")

    def _offset(self, byte: int) -> int:
        return byte - bisect_left(self._later, byte) if self._later else byte


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, in the order of the text."""
    stack = [node]
    while stack:
        each = stack.pop()
        yield each
        stack.extend(reversed(each.children))


@cache
def _parser(language: str) -> Parser:
    module = import_module(f"tree_sitter_{language}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # some grammars give a bare pointer
        return Parser(Language(module.language()))
