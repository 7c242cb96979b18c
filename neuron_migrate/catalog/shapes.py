"""How many input shapes a place that a rule finds can make, as a rule file says it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARGUMENT = re.compile(r"\w+(:\d+)?")


class ShapeCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The ``[shapes]`` table of a rule. An empty one says that no bound can be read."""

    always: int | None = None
    """The number, whatever the arguments are."""
    at_most: tuple[str, ...] = ()
    """Arguments of the call, the first given of which is the number of lengths; ``name:2`` is one
    that may also stand at that position."""
    given: tuple[str, ...] = ()
    """Conditions on arguments one of which must hold for ``at_most`` to be a bound at all."""
    step: str = ""
    """The argument that lengths are rounded up to a multiple of."""
    per: str = ""
    """What the shapes are made for each of; ends "for each ..."."""


def faults(count: ShapeCount | None) -> Iterator[tuple[str, str]]:
    """Keys of the table that hold something else than they must, and what they must."""
    if count is None:
        return
    if count.always is not None and (count.at_most or count.always < 1):
        yield "shapes.always", "a number of at least 1, without `at_most` beside it"
    for argument in (*count.at_most, *([count.step] if count.step else ())):
        if not _ARGUMENT.fullmatch(argument):
            yield "shapes", f"an argument such as 'max_length' or 'max_length:3', not {argument!r}"
