"""Dicts that place a model: over several devices, or on one that is given by its number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import PlacementMatch
from neuron_migrate.engine.matchers.values.groups import VENDORS
from neuron_migrate.engine.meaning import Meaning, Role, string_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Placements:
    """Matches rules of kind ``placement``."""

    nodes = (cst.Dict,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.kinds: list[tuple[Rule, PlacementMatch, Meaning]] = []
        for rule in rules:
            assert isinstance(rule.match, PlacementMatch)
            meaning = Meaning((), frozenset(rule.match.keywords), frozenset(), reach=0)
            self.kinds.append((rule, rule.match, meaning))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a dict that says where the parts of a model go."""
        assert isinstance(node, cst.Dict)
        if not node.elements or here.is_claimed(node):
            return
        for rule, pattern, meaning in self.kinds:
            note = _way_out(node, pattern, here)
            if note and meaning.role(node, here) not in {Role.UNCLEAR, Role.TEXT, Role.COMPARED}:
                here.report(rule, node, note, not_fixed=rule.not_fixed)
                here.file.claimed.add(node)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _way_out(node: cst.Dict, pattern: PlacementMatch, here: Here) -> str:
    """What to do instead of such a dict; empty where there is nothing to say."""
    items = [item for item in node.elements if isinstance(item, cst.DictElement)]
    if len(items) == len(node.elements) == 1 and string_value(items[0].key) == "":
        return pattern.numbered if _is_number(items[0].value, pattern, here) else ""
    places = {string_value(item.value) for item in items}
    here_only = len(items) == len(node.elements) and places <= set(pattern.elsewhere)
    return "" if here_only else pattern.spread


def _is_number(value: cst.BaseExpression, pattern: PlacementMatch, here: Here) -> bool:
    """True for an integer, and for an expression whose words say that it is one."""
    if isinstance(value, (cst.SimpleString, cst.FormattedString)):
        return False
    if isinstance(value, cst.Call) and here.path(value.func) == "torch.device":
        return False
    source = here.source(value).lower()
    if any(f"torch.{vendor}." in source for vendor in VENDORS):
        return False
    return source.isdigit() or any(word in source for word in pattern.numbers)
