"""Dict literals with the parameters of a library that takes no Neuron device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import EntryMatch
from neuron_migrate.engine import literals

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.patterns import Entry
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Entries:
    """Matches rules of kind ``entry``."""

    nodes = (cst.Dict,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.entries = [
            (rule, entry)
            for rule in rules
            if isinstance(rule.match, EntryMatch)
            for entry in rule.match.entries
        ]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report the entries of a dict that are known, and keep other rules from the dict."""
        assert isinstance(node, cst.Dict)
        held = _by_key(node)
        left = dict(held)
        for rule, entry in self.entries:
            found = left.get(entry.key)
            if found is None or not _is_meant(entry, held, here):
                continue
            if entry.values and not _is_one_of(found.value, entry.values, here):
                continue
            here.report(rule, found.value, entry.note, risk=entry.risk)
            del left[entry.key]
            here.file.claimed.add(node)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _by_key(node: cst.Dict) -> dict[str, cst.DictElement]:
    return {
        element.key.raw_value: element
        for element in node.elements
        if isinstance(element, cst.DictElement) and isinstance(element.key, cst.SimpleString)
    }


def _is_meant(entry: Entry, held: dict[str, cst.DictElement], here: Here) -> bool:
    if entry.requires and here.file.roots.isdisjoint(entry.requires):
        return False
    return not entry.beside or any(key in held for key in entry.beside)


def _is_one_of(value: cst.BaseExpression, values: tuple[str, ...], here: Here) -> bool:
    source = literals.normal(here.source(value))
    return any(literals.normal(each) == source for each in values)
