"""What a rule can match: one struct per kind of pattern, in the words a rule file uses."""

from __future__ import annotations

from neuron_migrate.catalog.patterns.base import Hold, Pattern
from neuron_migrate.catalog.patterns.calls import (
    ArgumentChange,
    CallMatch,
    CallOrderMatch,
    Entry,
    EntryMatch,
    EnvironmentMatch,
)
from neuron_migrate.catalog.patterns.environment import CommandMatch, TextMatch, VariableMatch
from neuron_migrate.catalog.patterns.gone import GoneForm, GoneMatch, GoneName
from neuron_migrate.catalog.patterns.libraries import ImportMatch, Library
from neuron_migrate.catalog.patterns.moved import (
    AddedArgument,
    MovedArgument,
    MovedMatch,
    MovedName,
)
from neuron_migrate.catalog.patterns.operators import (
    DtypeMatch,
    LoopMatch,
    OperatorMatch,
    TimingMatch,
)
from neuron_migrate.catalog.patterns.references import (
    LadderMatch,
    MemberMatch,
    MethodMatch,
    NameEntry,
    NamesMatch,
    PatchMatch,
    PropertyMatch,
    SliceMatch,
)
from neuron_migrate.catalog.patterns.removed import (
    LostAttribute,
    LostMatch,
    LostOwner,
    Overridden,
    OverrideMatch,
    RemovedMatch,
)
from neuron_migrate.catalog.patterns.shapes import DataSizeMatch, GrowthMatch
from neuron_migrate.catalog.patterns.values import (
    LegacyTensorMatch,
    PlacementMatch,
    Setting,
    SettingMatch,
    ValueMatch,
)


class ToolMatch(Pattern, frozen=True, kw_only=True, tag="tool"):
    """What the tool says about its own work; no pattern in the code."""


Match = (
    ToolMatch
    | NamesMatch
    | ValueMatch
    | MethodMatch
    | PropertyMatch
    | CallMatch
    | EntryMatch
    | ImportMatch
    | GoneMatch
    | MovedMatch
    | RemovedMatch
    | LostMatch
    | OverrideMatch
    | VariableMatch
    | CommandMatch
    | TextMatch
    | CallOrderMatch
    | LadderMatch
    | PatchMatch
    | MemberMatch
    | SliceMatch
    | PlacementMatch
    | EnvironmentMatch
    | LegacyTensorMatch
    | SettingMatch
    | GrowthMatch
    | DataSizeMatch
    | DtypeMatch
    | OperatorMatch
    | LoopMatch
    | TimingMatch
)

__all__ = [
    "AddedArgument",
    "ArgumentChange",
    "CallMatch",
    "CallOrderMatch",
    "CommandMatch",
    "DataSizeMatch",
    "DtypeMatch",
    "Entry",
    "EntryMatch",
    "EnvironmentMatch",
    "GoneForm",
    "GoneMatch",
    "GoneName",
    "GrowthMatch",
    "Hold",
    "ImportMatch",
    "LadderMatch",
    "LegacyTensorMatch",
    "Library",
    "LoopMatch",
    "LostAttribute",
    "LostMatch",
    "LostOwner",
    "Match",
    "MemberMatch",
    "MethodMatch",
    "MovedArgument",
    "MovedMatch",
    "MovedName",
    "NameEntry",
    "NamesMatch",
    "OperatorMatch",
    "Overridden",
    "OverrideMatch",
    "PatchMatch",
    "PlacementMatch",
    "PropertyMatch",
    "RemovedMatch",
    "Setting",
    "SettingMatch",
    "SliceMatch",
    "TextMatch",
    "TimingMatch",
    "ToolMatch",
    "ValueMatch",
    "VariableMatch",
]
