"""The entries of a configuration, each with the keys that lead to it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Setting, Span
from neuron_migrate.engine.texts.nodes import MERGE, Mapping, Scalar, Sequence
from neuron_migrate.engine.texts.shapes.kinds import OTHER, is_known, of_mapping

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.texts.nodes import Node

_BEFORE = re.compile(r"[ \t]*\Z")
_AFTER = re.compile(r"[ \t]*(?:\r\n|\r|\n|\Z)")
_COMMA = re.compile(r"\s*,\s*")
Path = tuple[str, ...]


def settings(root: Mapping, source: str, kind: str) -> list[Setting]:
    """The entries of a document, each place once for every way that leads to it by an alias."""
    return list(_Walk(source, fixed=kind != OTHER).document(root, kind))


class _Walk:
    """One way through a tree: into every mapping and list once, to every scalar."""

    def __init__(self, source: str, *, fixed: bool) -> None:
        self._source = source
        self._fixed = fixed
        self._seen: set[int] = set()

    def document(self, root: Mapping, kind: str) -> Iterator[Setting]:
        found = list(self._mapping(root, (), kind))
        uses = Counter(each.span for each in found)
        for each in found:
            yield replace(each, shared=True) if uses[each.span] > 1 else each

    def _mapping(self, mapping: Mapping, path: Path, kind: str) -> Iterator[Setting]:
        found = "" if self._fixed else of_mapping(mapping, path[-1] if path else "")
        if found:
            path, kind = (), found
            yield self._whole(mapping, kind)
        for index, (key, value) in enumerate(mapping.entries):
            if key.text == MERGE:
                yield from self._node(value, path, kind, None)
                continue
            inner = (*path, key.text)
            if isinstance(value, Scalar):
                removal = self._removal(mapping, index)
                yield self._setting(value, inner, kind, key, mapping, removal)
            else:
                if _holds(value):
                    place = key.inner
                    yield Setting(kind, inner, None, place, place, mapping.place)
                yield from self._node(value, inner, kind, key)

    def _node(self, node: Node, path: Path, kind: str, key: Scalar | None) -> Iterator[Setting]:
        if isinstance(node, Scalar):
            yield self._setting(node, path, kind, None, None, None)
            return
        if id(node) in self._seen:
            return
        self._seen.add(id(node))
        if isinstance(node, Mapping):
            yield from self._mapping(node, path, kind)
            return
        for item in node.items:
            yield from self._node(item, (*path, "*"), kind, key)

    def _whole(self, mapping: Mapping, kind: str) -> Setting:
        """The configuration as such, which stands where its first key does."""
        place = mapping.entries[0][0].inner
        return Setting(kind, (), None, place, place, mapping.place)

    def _setting(
        self,
        value: Scalar,
        path: Path,
        kind: str,
        key: Scalar | None,
        mapping: Mapping | None,
        removal: Span | None,
    ) -> Setting:
        place = value.inner
        written = self._source[place.start : place.end] == value.text and bool(value.text)
        return Setting(
            document=kind,
            path=path,
            value=value.text if is_known(value.text) else "${}",
            span=place,
            key_span=None if key is None or key.style == "?" else key.inner,
            among=place if mapping is None else mapping.place,
            removal=removal,
            frozen="" if written else "the value is not written out in one place",
        )

    def _removal(self, mapping: Mapping, index: int) -> Span | None:
        """The line of an entry that has one to itself, or the entry with its comma."""
        key, value = mapping.entries[index]
        if len(mapping.entries) < 2 or value.place.start < key.place.end:
            return None
        if self._source[mapping.place.start : mapping.place.start + 1] == "{":
            return self._among_commas(mapping, index)
        start = max(self._source.rfind(end, 0, key.place.start) for end in "\r\n") + 1
        rest = _AFTER.match(self._source, value.place.end)
        alone = _BEFORE.fullmatch(self._source[start : key.place.start])
        return Span(start, rest.end()) if rest and alone else None

    def _among_commas(self, mapping: Mapping, index: int) -> Span | None:
        key, value = mapping.entries[index]
        if index == 0:
            following = mapping.entries[1][0]
            between = Span(value.place.end, following.place.start)
            whole = Span(key.place.start, following.place.start)
        else:
            before = mapping.entries[index - 1][1]
            between = Span(before.place.end, key.place.start)
            whole = Span(before.place.end, value.place.end)
        text = self._source[between.start : between.end]
        return whole if _COMMA.fullmatch(text) else None


def _holds(node: Mapping | Sequence) -> bool:
    return bool(node.entries if isinstance(node, Mapping) else node.items)
