"""Strings that say something inside a longer text, such as an option in a command line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import TextMatch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Texts:
    """Matches rules of kind ``text``."""

    nodes = (cst.SimpleString, cst.FormattedStringText)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [
            (rule, re.compile(rule.match.text))
            for rule in rules
            if isinstance(rule.match, TextMatch)
        ]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a string in which the text of a rule stands."""
        assert isinstance(node, (cst.SimpleString, cst.FormattedStringText))
        if isinstance(here.parent(node), cst.Expr):
            return
        for rule, pattern in self.rules:
            if pattern.search(_beside(node, here)):
                here.report(rule, node)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _beside(node: cst.SimpleString | cst.FormattedStringText, here: Here) -> str:
    """The text, after the element before it where it is one of the words of a command."""
    own = node.raw_value if isinstance(node, cst.SimpleString) else node.value
    element = here.parent(node)
    words = here.parent(element) if isinstance(element, cst.Element) else None
    if not isinstance(words, (cst.List, cst.Tuple)):
        return own
    place = next(index for index, each in enumerate(words.elements) if each is element)
    before = words.elements[place - 1].value if place else None
    return f"{before.raw_value} {own}" if isinstance(before, cst.SimpleString) else own
