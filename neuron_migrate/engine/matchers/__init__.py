"""One module per kind of pattern a rule can match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.matchers.call_order import CallOrders
from neuron_migrate.engine.matchers.calls import Calls
from neuron_migrate.engine.matchers.commands import Commands
from neuron_migrate.engine.matchers.data_sizes import DataSizes
from neuron_migrate.engine.matchers.dtypes import Dtypes
from neuron_migrate.engine.matchers.entries import Entries
from neuron_migrate.engine.matchers.environment_first import EnvironmentFirst
from neuron_migrate.engine.matchers.gone.matcher import Gone
from neuron_migrate.engine.matchers.growth import Growth
from neuron_migrate.engine.matchers.ladders import Ladders
from neuron_migrate.engine.matchers.legacy_tensors.matcher import LegacyTensors
from neuron_migrate.engine.matchers.libraries import Libraries
from neuron_migrate.engine.matchers.loops.matcher import Loops
from neuron_migrate.engine.matchers.lost import LostAttributes
from neuron_migrate.engine.matchers.members import Members
from neuron_migrate.engine.matchers.methods import Methods, Properties
from neuron_migrate.engine.matchers.moved.matcher import Moved
from neuron_migrate.engine.matchers.names.matcher import Names
from neuron_migrate.engine.matchers.operators.matcher import Operators
from neuron_migrate.engine.matchers.overrides import Overrides
from neuron_migrate.engine.matchers.patches import Patches
from neuron_migrate.engine.matchers.placements import Placements
from neuron_migrate.engine.matchers.removed import RemovedNames
from neuron_migrate.engine.matchers.settings import Settings
from neuron_migrate.engine.matchers.slices import Slices
from neuron_migrate.engine.matchers.texts import Texts
from neuron_migrate.engine.matchers.timings import Timings
from neuron_migrate.engine.matchers.values.matcher import Values
from neuron_migrate.engine.matchers.variables.matcher import Variables

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.matching import Matcher

_KINDS: dict[str, Callable[[list[Rule]], Matcher]] = {
    "names": Names,
    "legacy-tensor": LegacyTensors,
    "value": Values,
    "cuda-method": Methods,
    "property": Properties,
    "call": Calls,
    "call-order": CallOrders,
    "import": Libraries,
    "entry": Entries,
    "moved": Moved,
    "removed-name": RemovedNames,
    "lost-attribute": LostAttributes,
    "override": Overrides,
    "gone": Gone,
    "variable": Variables,
    "command": Commands,
    "text": Texts,
    "patch": Patches,
    "member": Members,
    "slice": Slices,
    "placement": Placements,
    "environment-first": EnvironmentFirst,
    "setting": Settings,
    "dtype": Dtypes,
    "operator": Operators,
    "in-loop": Loops,
    "timing": Timings,
    "growth": Growth,
    "data-size": DataSizes,
    "ladder": Ladders,  # the last: it replaces what the others found
}


def all_matchers(catalog: Catalog) -> list[tuple[Matcher, frozenset[str]]]:
    """A matcher for every kind of pattern that the catalog uses, and the words it can fire at."""
    rules = {
        kind: [rule for rule in catalog.rules if rule.match.__struct_config__.tag == kind]
        for kind in _KINDS
    }
    return [
        (make(rules[kind]), frozenset(word for rule in rules[kind] for word in rule.triggers))
        for kind, make in _KINDS.items()
        if rules[kind]
    ]
