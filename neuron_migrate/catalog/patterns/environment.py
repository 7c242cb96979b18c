"""Environment variables, programs and texts."""

from __future__ import annotations

from neuron_migrate.catalog.patterns.base import Pattern
from neuron_migrate.finding import Risk


class VariableMatch(Pattern, frozen=True, kw_only=True, tag="variable"):
    """Environment variables that the program sets or asks for."""

    names: tuple[str, ...]
    to: str | None = None
    """The variable that takes the place; without one the use is reported."""
    reads: bool = False
    """True when asking for the variable matters too."""
    hides: tuple[str, ...] = ()
    """Values that mean "no device at all", for which ``to`` has none."""
    values: tuple[str, ...] = ()
    """The only values that matter; empty means any."""
    unless_imported: str | None = None
    """A package whose import makes the setting harmless."""


class CommandMatch(Pattern, frozen=True, kw_only=True, tag="command"):
    """Programs that the code starts."""

    programs: tuple[str, ...]
    functions: tuple[str, ...]
    """What starts them, as dotted paths with ``*`` wildcards."""
    text: str | None = None
    """A regular expression for what else the statement must hold, such as a subcommand."""
    raising: tuple[str, ...] = ()
    """Those of them that raise where the program does not exist."""
    raised: Risk | None = None
    """What is at stake there, outside a ``try`` that catches it."""


class TextMatch(Pattern, frozen=True, kw_only=True, tag="text"):
    """Strings in which a text stands: options in the command line of a program."""

    text: str
    """A regular expression; a word of a list of words is read after the one before it."""
