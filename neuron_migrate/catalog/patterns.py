"""What a rule can match: one struct per kind of pattern, in the words a rule file uses."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.finding import Confidence, Risk, Safety


class _Pattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    pass


class NameEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One public name and what it becomes.

    A replacement without parentheses replaces the reference; one with ``{args}`` or parentheses
    replaces a whole call. Without a replacement for a target the name is reported.
    """

    name: str
    neuron: str | None = None
    accelerator: str | None = None
    safety: Safety = "safe"
    needs_accelerator: bool = False
    """The accelerator form raises where there is no accelerator: unsafe outside a guard."""
    risk: Risk | None = None
    confidence: Confidence | None = None
    note: str = ""
    """What to know or do about this name; added to the message."""
    moved: str | None = None
    """Where an import that must stay (``__all__``, annotations) gets the name from instead."""
    module: bool = False
    """True when it is a module whose uses decide: it is renamed only if all of them move alike."""
    test: bool = False
    """True when it asks whether the device is there, so that a condition may rest on it."""


class NamesMatch(_Pattern, tag="names"):
    """References to public names, through every alias and import form."""

    names: tuple[NameEntry, ...]
    modules: tuple[str, ...] = ()
    """Modules all of whose other names are reported too."""
    cuda_only: bool = False
    """True when an availability guard around a use must stay a CUDA guard."""


class ValueMatch(_Pattern, tag="value"):
    """Literal values in a place that gives them a meaning, such as a device string."""

    values: tuple[str, ...]
    """Python literals as source: ``"'cuda'"``, ``"0"``; compared by value."""
    indexed: bool = False
    """Also ``'cuda:1'`` and the ways such a string is built."""
    parts: bool = False
    """Also inside ``'cpu:gloo,cuda:nccl'`` lists of device and backend."""
    functions: tuple[str, ...] = ()
    """Calls whose arguments are such values: dotted paths, ``.method``; ``path:0`` for one position."""
    keywords: tuple[str, ...] = ()
    """Keywords, dict keys and command-line options that take such a value in any call."""
    words: tuple[str, ...] = ()
    """Words in the name of a variable, attribute or function that holds such a value."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    neuron: str | None = None
    accelerator: str | None = None
    """The replacement, as Python source."""
    accelerator_value: str | None = None
    """The same where nothing says that an accelerator is there; it must not raise on a CPU."""
    accelerator_compared: str | None = None
    """The same where the value is compared."""
    safety: Safety = "safe"
    when: Literal["meant", "elsewhere", "multi-process"] = "meant"
    """``elsewhere``: the same values in places of no clear meaning (the ambiguous rest);
    ``multi-process``: indexed values in code that runs one process per device."""
    note: str = ""


class MethodMatch(_Pattern, tag="cuda-method"):
    """``x.cuda(...)`` on tensors and modules."""

    method: str
    neuron: str
    accelerator: str
    indexed_neuron: str
    """For a device that is not a literal: a template with ``{self}`` and ``{args}``."""
    indexed_accelerator: str
    indexed_accelerator_safety: Safety = "unsafe"


class PropertyMatch(_Pattern, tag="property"):
    """An attribute of a tensor, such as ``x.is_cuda``."""

    attribute: str
    neuron: str
    accelerator: str


class ArgumentChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What happens to one argument of a matched call."""

    name: str
    position: int | None = None
    """0-based position it may also be given at."""
    values: tuple[str, ...] = ()
    """Python literals (as source) or dotted paths it applies to; empty means any value."""
    unless: tuple[str, ...] = ()
    """Values it does not apply to."""
    action: Literal["remove", "set", "rename", "add", "report"]
    to: str | None = None
    """The new value (set, add; Python source) or the new name (rename)."""
    accelerator: str | None = None
    """``to`` for the accelerator target, where it differs; ``""`` means leave it alone there."""
    safety: Safety = "safe"
    accelerator_safety: Safety | None = None
    note: str = ""


class CallMatch(_Pattern, tag="call"):
    """Calls of given functions, and what becomes of their arguments.

    Without ``arguments`` every such call is reported.
    """

    functions: tuple[str, ...]
    """Dotted paths with ``*`` wildcards, or ``.method`` for a method of anything."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    arguments: tuple[ArgumentChange, ...] = ()
    unless: tuple[str, ...] = ()
    """Keywords whose presence means that there is nothing to say."""
    drop: bool = False
    """The call, when it is a statement of its own, is removed."""
    neuron: str | None = None
    accelerator: str | None = None
    """What replaces the call, as a template."""
    safety: Safety = "safe"
    splat: Literal["report", "ignore"] = "report"
    """What to do when ``**kwargs`` may hold the arguments."""
    cuda_only: bool = False


class ImportMatch(_Pattern, tag="import"):
    """Imports of a package, knowing whether a fallback stands beside them."""

    packages: tuple[str, ...]
    instead: str
    """The way out, for the message."""
    cuda_only: bool = True


class ToolMatch(_Pattern, tag="tool"):
    """What the tool says about its own work; no pattern in the code."""


Match = ToolMatch | NamesMatch | ValueMatch | MethodMatch | PropertyMatch | CallMatch | ImportMatch
