"""Lists, sets, tuples and dicts that name several vendors' devices: extended, never renamed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from neuron_migrate.engine.here import Here

VENDORS = frozenset({"npu", "xpu", "hpu", "mlu", "musa", "tpu", "xla", "sdaa"})
"""Names of other accelerators; two of them beside cuda make a vendor ladder."""

_Collection = cst.List | cst.Tuple | cst.Set | cst.Dict
_Item = cst.BaseElement | cst.BaseDictElement


@dataclass(frozen=True, slots=True)
class Group:
    """A collection literal and the strings in it."""

    node: _Collection
    strings: frozenset[str]

    def is_ladder(self, word: str) -> bool:
        """True when several vendors stand beside ``word``."""
        return len(VENDORS & {text.partition(":")[0] for text in self.strings}) >= 2

    def has(self, word: str) -> bool:
        """True when the collection already holds ``word``."""
        return word in self.strings

    def extended(self, literal: cst.CSTNode, word: str, new: str) -> _Collection | None:
        """The collection with ``new`` after the item that holds ``literal``.

        None when a dict value is not a literal that can be carried over.
        """
        items: list[_Item] = list(self.node.elements)
        place = next(index for index, item in enumerate(items) if _holds(item, literal))
        added = _renamed(items[place], word, new)
        if added is None:
            return None
        comma = items[place].comma
        if not isinstance(comma, cst.Comma):
            before = items[place - 1].comma if place else None
            spaced = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            separator = before if isinstance(before, cst.Comma) else spaced
            items[place] = items[place].with_changes(comma=separator)
        return self.node.with_changes(elements=[*items[: place + 1], added, *items[place + 1 :]])


def around(node: cst.CSTNode, here: Here) -> Group | None:
    """The innermost collection literal that a node is an item (or a key, or a value) of."""
    parent = here.parent(node)
    if not isinstance(parent, (cst.Element, cst.DictElement)):
        return None
    collection = here.parent(parent)
    if not isinstance(collection, (cst.List, cst.Tuple, cst.Set, cst.Dict)):
        return None
    return Group(collection, _strings(collection))


@lru_cache(maxsize=8)
def _strings(collection: _Collection) -> frozenset[str]:
    texts = (string_value(part) for item in collection.elements for part in _parts(item))
    return frozenset(text for text in texts if text is not None)


def _parts(item: cst.CSTNode) -> list[cst.CSTNode]:
    return [part for name in ("key", "value") if (part := getattr(item, name, None)) is not None]


def _holds(item: cst.CSTNode, literal: cst.CSTNode) -> bool:
    return any(part is literal for part in _parts(item))


def _renamed(item: _Item, word: str, new: str) -> _Item | None:
    """A copy of an item with every literal that names ``word`` naming ``new``."""
    changes: dict[str, cst.BaseExpression] = {}
    for name in ("key", "value"):
        part = getattr(item, name, None)
        if part is None:
            continue
        text = string_value(part)
        if text is None or not isinstance(part, cst.SimpleString):
            return None
        quoted = f"{part.prefix}{part.quote}{{}}{part.quote}"
        if text == word or (name == "value" and text == "nccl"):
            changes[name] = part.with_changes(value=quoted.format(new))
        elif name == "key":
            return None
    return item.with_changes(**changes)
