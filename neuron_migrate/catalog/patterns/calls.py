"""Calls, their arguments and their order."""

from __future__ import annotations

from typing import Literal

import msgspec

from neuron_migrate.catalog.patterns.base import Hold, Pattern
from neuron_migrate.finding import Risk, Safety, Target


class ArgumentChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What happens to one argument of a matched call."""

    name: str
    position: int | None = None
    """0-based position it may also be given at."""
    values: tuple[str, ...] = ()
    """Python literals (as source) or dotted paths it applies to, with ``*`` wildcards; empty means
    any value."""
    unless: tuple[str, ...] = ()
    """Values it does not apply to."""
    visibly: Literal["text", "integer-tensor", "cuda-source", "device-count"] | None = None
    """Only where the file shows that the argument is of this kind."""
    absent: bool = False
    """Also where the argument is not given (stop, report)."""
    action: Literal["remove", "set", "rename", "add", "report", "stop"]
    """``stop``: nothing of the call can be rewritten, and ``note`` says why."""
    to: str | None = None
    """The new value (set, add; Python source) or the new name (rename)."""
    value: str | None = None
    """The value under the new name (rename), as Python source; without one it keeps its own."""
    computed: bool | None = None
    """True: only what is no literal; False: only literals."""
    target: Target | None = None
    """The only target it is for."""
    accelerator: str | None = None
    """``to`` for the accelerator target, where it differs; ``""`` means leave it alone there."""
    safety: Safety = "safe"
    accelerator_safety: Safety | None = None
    note: str = ""
    risk: Risk | None = None
    """What is at stake where this is all there is to change, if not the rule's risk."""


class CallMatch(Pattern, frozen=True, kw_only=True, tag="call"):
    """Calls of given functions, and what becomes of their arguments.

    Without ``arguments`` every such call is reported.
    """

    functions: tuple[str, ...]
    """Dotted paths with ``*`` wildcards (``builtins.dict``), ``.method`` of anything, or
    ``<tokenizer>`` for an object that is called, of that name or one that ends in it."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    beside: str | None = None
    """A regular expression that the file must match."""
    each: bool = False
    """True when every argument gets a finding of its own, at the argument."""
    wins: bool = False
    """Where it speaks about a call, no other rule does about literals in it."""
    arguments: tuple[ArgumentChange, ...] = ()
    unless: tuple[str, ...] = ()
    """Conditions one of which means that there is nothing to say.

    A condition is ``name`` for an argument that is given, ``!name`` for one that is not, or
    ``name=value``; ``name:0`` is one that may also stand at that position. A value is a Python
    literal, a dotted path or text with ``*`` wildcards, ``literal``, ``computed`` for the rest, or
    ``written`` for a literal that may also stand under a name, ``number`` for a whole one.
    """
    given: tuple[str, ...] = ()
    """Conditions one of which must hold."""
    ambiguous: tuple[str, ...] = ()
    """Methods among the functions that other objects have too: only those of a torch module count,
    and calls that ``telling`` holds for."""
    telling: tuple[str, ...] = ()
    """Conditions one of which shows that an ambiguous method is meant."""
    unclear: bool = False
    """Only calls without arguments, on objects that nothing shows to be a torch module."""
    unless_beside: str | None = None
    """A regular expression: where the file matches it, there is nothing to say."""
    moved: bool = False
    """Only calls whose value is moved to a device or given to a model, at once or by its name."""
    of_moved: bool = False
    """Only calls of, or with, what the function has moved to a device before."""
    before_move: bool = False
    """Only calls with the parameters of a module that the function moves to a device later."""
    not_passed_on: bool = False
    """Not calls with the function's own ``**kwargs``: its caller gives what matters."""
    on: tuple[str, ...] = ()
    """Ends of the name of an object whose method is meant, unless the file shows what makes it:
    then only a class of a package that the file must import counts."""
    not_on: tuple[str, ...] = ()
    """Words in the name of an object whose method of this name is another one."""
    not_given_to: tuple[str, ...] = ()
    """Variables that what is read of the call's value is for looking at only."""
    used: bool = False
    """Only calls whose value is used: one alone is made for what it leaves behind."""
    given_to: tuple[str, ...] = ()
    """Only calls whose value is given to one of these names: assigned, or as a keyword."""
    drop: bool = False
    """The call, when it is a statement of its own, is removed."""
    neuron: str | None = None
    accelerator: str | None = None
    """What replaces the call, as a template."""
    safety: Safety = "safe"
    accelerator_safety: Safety | None = None
    doubt: str | None = None
    """A regular expression: where the file matches it, the fix is unsafe."""
    moves_inputs: bool = False
    """What the call gives moves its inputs to the device, which the fix ends: unsafe where the file
    calls it with tensors of the host."""
    splat: Literal["report", "ignore"] = "report"
    """What to do when ``**kwargs`` may hold the arguments."""
    unknown_risk: Risk | None = None
    """What is at stake where the arguments cannot be read, if not the rule's risk."""
    holds: tuple[Hold, ...] = ()
    caught: bool = False
    """A condition, or a ``try`` that catches OSError, around the call leaves only information."""
    cuda_only: bool = False
    neutral: bool = False
    """True when the code runs on Neuron all the same, so that no guard is kept for its sake."""
    on_device: bool = False
    """Not in code that prepares data on the CPU: datasets, collators, transforms."""
    subclasses: bool = False
    """Also classes of the file that inherit from such a class and have no ``__init__``."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One entry of a dict of parameters."""

    key: str
    values: tuple[str, ...] = ()
    """Python literals (as source) it concerns; empty means any value."""
    beside: tuple[str, ...] = ()
    """Other keys one of which shows whose parameters these are."""
    requires: tuple[str, ...] = ()
    """Top-level packages one of which the file must import."""
    note: str = ""
    risk: Risk | None = None


class EntryMatch(Pattern, frozen=True, kw_only=True, tag="entry"):
    """Dict literals that hold the parameters of a library; no other rule speaks about them."""

    entries: tuple[Entry, ...]


class CallOrderMatch(Pattern, frozen=True, kw_only=True, tag="call-order"):
    """A call that comes before another one of the same function, and must come after it."""

    functions: tuple[str, ...]
    """Dotted paths of what comes too early."""
    after: tuple[str, ...]
    """Dotted paths of what must have been called by then."""


class EnvironmentMatch(Pattern, frozen=True, kw_only=True, tag="environment-first"):
    """Calls before which the program must set an environment variable."""

    variable: str
    value: str
    functions: tuple[str, ...]
    """Dotted paths with ``*`` wildcards."""
    unless: tuple[str, ...] = ()
    """Those among them that do not need it."""
