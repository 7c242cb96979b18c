"""Literal values in places that give them a meaning."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.catalog.patterns.base import Pattern
from neuron_migrate.finding import Confidence, Risk, Safety


class ValueMatch(Pattern, frozen=True, kw_only=True, tag="value"):
    """Literal values in a place that gives them a meaning, such as a device string."""

    of: str | None = None
    """The code of another rule of this kind whose values and places these are."""
    values: tuple[str, ...] = ()
    """Python literals as source: ``"'cuda'"``, ``"0"``; compared by value."""
    indexed: bool = False
    """Also ``'cuda:1'`` and the ways such a string is built."""
    parts: bool = False
    """Also inside ``'cpu:gloo,cuda:nccl'`` lists of device and backend."""
    functions: tuple[str, ...] = ()
    """Calls whose arguments are such values: dotted paths, ``.method``; ``path:0`` for one
    position, ``path:name`` for one keyword."""
    calls: tuple[str, ...] = ()
    """Functions a call of which, without arguments, gives such a value: dotted paths."""
    wrapped: bool = False
    """Also as the only value of a dict under an empty key: ``{"": 0}``."""
    keywords: tuple[str, ...] = ()
    """Keywords, dict keys and command-line options that take such a value in any call."""
    words: tuple[str, ...] = ()
    """Words in the name of a variable, attribute or function that holds such a value."""
    other_words: tuple[str, ...] = ()
    """Words that make such a name mean something else."""
    under_test: bool = False
    """What is kept under a test that a device is there, against something else, is such a value."""
    unless_beside: tuple[str, ...] = ()
    """Text in the same function showing that the value is looked up, the literal a last resort."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    certain: bool = False
    """Only imports count that the program does not survive without."""
    unless: str | None = None
    """A regular expression: where the file matches it, nothing is said."""
    neuron: str | None = None
    accelerator: str | None = None
    """The replacement, as Python source."""
    accelerator_value: str | None = None
    """The same where nothing says that an accelerator is there; it must not raise on a CPU."""
    lenient: tuple[str, ...] = ()
    """Those of the functions that take the original value on a machine without an accelerator."""
    accelerator_compared: str | None = None
    """The same where the value is compared."""
    placed_by: Literal["any", "functions"] = "any"
    """``functions``: only those use it at once; in other calls it may not be used at all."""
    safety: Safety = "safe"
    when: Literal["meant", "elsewhere", "multi-process"] = "meant"
    """``elsewhere``: the same values in places of no clear meaning (the ambiguous rest);
    ``multi-process``: indexed values in code that runs one process per device."""
    roles: tuple[Literal["placed", "held", "compared", "choice"], ...] = (
        "placed",
        "held",
        "compared",
        "choice",
    )
    """The uses of a value that it speaks about."""
    wins: bool = False
    """Where it speaks about a value, no other rule does."""
    whole: bool = False
    """The replacement takes the place of an index too."""
    doubt: str | None = None
    """A regular expression: where the file matches it, the fix is unsafe."""
    reach: Literal[0, 1] | None = None
    """How many names may stand between a value and its use. For values that are no triggers: then
    a name is followed from its use back to what it was given."""
    note: str = ""


class PlacementMatch(Pattern, frozen=True, kw_only=True, tag="placement"):
    """Dicts that spread a model over devices, or put it on a device given by its number."""

    keywords: tuple[str, ...]
    """What such a dict is given as."""
    numbers: tuple[str, ...]
    """Words in an expression that is the number of a device, such as ``rank``."""
    elsewhere: tuple[str, ...]
    """Places that are not a core; a dict of these alone is left."""
    spread: str
    """The way out for a model on several devices."""
    numbered: str
    """The way out for a device given by its number."""


class LegacyTensorMatch(Pattern, frozen=True, kw_only=True, tag="legacy-tensor"):
    """Tensor types that name a device and a dtype, such as ``torch.cuda.FloatTensor``."""

    types: dict[str, str]
    """Dotted path of the type: dotted path of its dtype."""
    default: str
    """The dtype a program starts with: setting such a type as default says nothing about it."""
    neuron: str
    accelerator: str
    """The device, as Python source."""
    neuron_type: str
    accelerator_type: str
    """What a tensor's ``device.type`` is compared with, as Python source."""


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A configuration variable of a library, and what setting it means on Neuron."""

    name: str
    """Dotted path, with ``*`` wildcards."""
    values: tuple[str, ...] = ()
    """Python literals as source that it concerns; empty means any value."""
    note: str
    risk: Risk | None = None
    confidence: Confidence | None = None


class SettingMatch(Pattern, frozen=True, kw_only=True, tag="setting"):
    """Assignments to configuration variables, and ``config.patch(name=value)``."""

    settings: tuple[Setting, ...]
    """The first one that fits a name and its value decides."""
