"""One module per kind of pattern that a rule can match in what is not Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.matchers.variables import Variables

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.matching import TextMatcher

_KINDS: dict[str, Callable[[list[Rule]], TextMatcher]] = {
    "variable": Variables,
}


def all_matchers(catalog: Catalog) -> list[TextMatcher]:
    """A matcher for every kind of pattern that the catalog uses."""
    rules = {
        kind: [rule for rule in catalog.rules if rule.match.__struct_config__.tag == kind]
        for kind in _KINDS
    }
    return [make(rules[kind]) for kind, make in _KINDS.items() if rules[kind]]
