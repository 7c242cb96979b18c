"""Operators by what they work on, and what waits for the device."""

from __future__ import annotations

from typing import Literal

from neuron_migrate.catalog.patterns.base import Pattern


class DtypeMatch(Pattern, frozen=True, kw_only=True, tag="dtype"):
    """Dtypes where they decide what is computed: ``dtype=``, ``.to(…)``, ``.double()``."""

    dtypes: tuple[str, ...]
    """Dotted paths."""
    methods: tuple[str, ...] = ()
    """Methods that convert to such a dtype."""
    guarded: bool = False
    """Only in code that runs after a test that the device is there."""
    cuda_only: bool = False


class OperatorMatch(Pattern, frozen=True, kw_only=True, tag="operator"):
    """Operators on tensors: functions, methods and symbols, told apart by what they work on.

    An operand that is visibly on the CPU is no matter, nor is code that prepares data.
    """

    functions: tuple[str, ...] = ()
    """Dotted paths with ``*`` wildcards, or ``.method`` of a tensor."""
    symbols: tuple[Literal["@", ">>", "**", "*", "+", "-", "[]"], ...] = ()
    """Operators of Python; ``[]`` is an index."""
    assigned: bool | None = None
    """True: only an index that is assigned to; False: only one that is read."""
    operands: tuple[str, ...] = ("input:0",)
    """Names and positions of the operands one of which must be as the rule says.

    The object of a method, and the left side of a symbol, stand at position 0.
    """
    dtypes: tuple[str, ...] = ()
    """Dtypes, without ``torch.``, that such an operand visibly has; numbers have ``complex``."""
    beside: tuple[str, ...] = ()
    """The dtypes that the other operands of a symbol visibly have; ``tensor`` is any tensor."""
    made_by: tuple[str, ...] = ()
    """Methods one of which has visibly made such an operand."""
    ambiguous: tuple[str, ...] = ()
    """Methods that other objects have too: only those of visible tensors count."""
    telling: tuple[str, ...] = ()
    """Conditions one of which shows that an ambiguous method is a tensor's."""
    given: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    """Conditions on the arguments of a call, as for kind ``call``."""


class LoopMatch(Pattern, frozen=True, kw_only=True, tag="in-loop"):
    """Reads of a tensor's value in a loop that trains or evaluates a model."""

    trains: tuple[str, ...]
    """Methods a call of which makes the loop around it such a loop."""
    evaluates: tuple[str, ...]
    """Dotted paths: in a block or function under one of them, a loop that calls a model is one."""
    models: str
    """A regular expression for the name of what is called there."""
    methods: tuple[str, ...]
    """Methods that wait for the device."""
    functions: tuple[str, ...]
    """Builtins that do so when they are given a tensor."""
    tests: tuple[str, ...]
    """Functions and methods whose result waits where it decides what is run next."""
    values: str
    """A regular expression for the names of such tensors."""
    seldom: str
    """A regular expression for conditions under which code of a loop does not run each time."""


class TimingMatch(Pattern, frozen=True, kw_only=True, tag="timing"):
    """Two readings of a clock around work on the device that nobody waits for."""

    clocks: tuple[str, ...]
    """Dotted paths."""
    work: str
    """A regular expression for the work."""
    waits: str
    """A regular expression for what waits for it."""
