"""Trees of configuration files: scalars, lists and mappings with their places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from neuron_migrate.engine.texts.facts import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

MERGE = "<<"
"""The key of YAML that takes in the entries of other mappings."""


@dataclass(slots=True, eq=False)
class Scalar:
    """A value that holds no others."""

    text: str
    """What it says, quotes and escapes taken off."""
    place: Span
    """Where it stands, with its quotes, or from the indicator of a block on."""
    style: str
    """The quote it stands in, ``|`` or ``>`` for a block, empty for none."""

    @property
    def inner(self) -> Span:
        """Where it stands, without quotes."""
        if self.style in {'"', "'"}:
            return Span(self.place.start + 1, self.place.end - 1)
        return self.place


@dataclass(slots=True, eq=False)
class Sequence:
    """A list."""

    place: Span
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Mapping:
    """Keys with values, in the order of the text; a key may stand there twice."""

    place: Span
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    _merged: dict[str, tuple[Scalar, Node]] | None = None

    def merged(self) -> dict[str, tuple[Scalar, Node]]:
        """The entry that counts for each key, also those that are merged in."""
        if self._merged is None:
            self._merged = {}
            found: dict[str, tuple[Scalar, Node]] = {}
            for key, value in self.entries:
                if key.text == MERGE:
                    for mapping in _mappings(value):
                        for name, entry in mapping.merged().items():
                            found.setdefault(name, entry)
            self._merged = {**found, **{key.text: (key, value) for key, value in self.entries}}
            self._merged.pop(MERGE, None)
        return self._merged

    def get(self, key: str) -> Node | None:
        """The value of a key."""
        entry = self.merged().get(key)
        return None if entry is None else entry[1]

    def keys(self) -> frozenset[str]:
        """Its keys, also those that are merged in."""
        return frozenset(self.merged())


Node: TypeAlias = "Scalar | Sequence | Mapping"


def _mappings(value: Node) -> list[Mapping]:
    items = value.items if isinstance(value, Sequence) else [value]
    return [each for each in items if isinstance(each, Mapping)]


def items(node: Node | None) -> list[Node]:
    """The entries of a list; a value that is none stands alone."""
    if node is None:
        return []
    return node.items if isinstance(node, Sequence) else [node]


def scalar(node: Node | None) -> str | None:
    """What a scalar says; None for what is none."""
    return node.text if isinstance(node, Scalar) else None


def mappings(root: Node) -> Iterator[Mapping]:
    """Every mapping of a tree once, in the order of the text, however often it is referred to."""
    seen: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Scalar) or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            yield node
            stack += [value for _, value in reversed(node.entries)]
        else:
            stack += reversed(node.items)
