"""One module per kind of pattern a rule can match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.matchers.calls import Calls
from neuron_migrate.engine.matchers.libraries import Libraries
from neuron_migrate.engine.matchers.methods import Methods, Properties
from neuron_migrate.engine.matchers.names import Names
from neuron_migrate.engine.matchers.values import Values

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.matching import Matcher

_KINDS = {
    "names": Names,
    "value": Values,
    "cuda-method": Methods,
    "property": Properties,
    "call": Calls,
    "import": Libraries,
}


def all_matchers(catalog: Catalog) -> list[Matcher]:
    """A matcher for every kind of pattern that the catalog uses."""
    rules = {
        kind: [rule for rule in catalog.rules if rule.match.__struct_config__.tag == kind]
        for kind in _KINDS
    }
    return [make(rules[kind]) for kind, make in _KINDS.items() if rules[kind]]
