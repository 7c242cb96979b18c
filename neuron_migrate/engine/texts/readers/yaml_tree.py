"""YAML as trees: the events of a parser, so that no alias is ever copied out."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from neuron_migrate.engine.texts.facts import ReadError, Span
from neuron_migrate.engine.texts.nodes import Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from neuron_migrate.engine.texts.nodes import Node

_DEPTH = 200
_PROPERTIES = re.compile(r"(?:[&!]\S*(?:[ \t]+|[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n)\s*|$))+")
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*")


def documents(text: str) -> list[Node]:
    """The roots of the documents of a text; raises ReadError when it is not YAML."""
    builder = _Builder(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor that is used again
            for event in YAML(typ="safe", pure=True).parse(text):
                builder.add(event)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = f"not valid YAML: {error.problem or error.context}"
        raise ReadError(reason, mark.index if mark else 0) from error
    except YAMLError as error:
        place = getattr(error, "position", 0)
        raise ReadError("not valid YAML: it holds a control character", place) from error
    except (RecursionError, ValueError, LookupError, AttributeError) as error:
        raise ReadError(f"not valid YAML: {error}") from error
    return builder.roots


class _Builder:
    """A tree in the making."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.roots: list[Node] = []
        self._open: list[Mapping | Sequence] = []
        self._keys: list[Scalar | None] = []
        self._anchors: dict[str, Node] = {}

    def add(self, event: Any) -> None:
        """Take in the next event."""
        if isinstance(event, ScalarEvent):
            self._put(event, self._scalar(event))
        elif isinstance(event, AliasEvent):
            node = self._anchors.get(event.anchor)
            if node is None:
                reason = f"not valid YAML: there is no anchor {event.anchor!r}"
                raise ReadError(reason, event.start_mark.index)
            self._put(None, node)
        elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            self._enter(event)
        elif isinstance(event, CollectionEndEvent):
            node = self._open.pop()
            self._keys.pop()
            node.place = Span(node.place.start, event.end_mark.index)
        elif isinstance(event, DocumentStartEvent):
            self._anchors.clear()

    def _enter(self, event: Any) -> None:
        if len(self._open) >= _DEPTH:
            raise ReadError("too deeply nested", event.start_mark.index)
        kind = Mapping if isinstance(event, MappingStartEvent) else Sequence
        node = kind(Span(event.start_mark.index, event.end_mark.index))
        self._put(event, node)
        self._open.append(node)
        self._keys.append(None)

    def _put(self, event: Any, node: Node) -> None:
        """Give a node its place in what is open."""
        if event is not None and event.anchor:
            self._anchors[event.anchor] = node
        if not self._open:
            self.roots.append(node)
            return
        parent, key = self._open[-1], self._keys[-1]
        if isinstance(parent, Sequence):
            parent.items.append(node)
        elif key is None:
            self._keys[-1] = node if isinstance(node, Scalar) else Scalar("", node.place, "?")
        else:
            parent.entries.append((key, node))
            self._keys[-1] = None

    def _scalar(self, event: Any) -> Scalar:
        start, end = event.start_mark.index, event.end_mark.index
        properties = _PROPERTIES.match(self._text, start, end)
        if properties is not None and (event.anchor or event.tag):
            start = properties.end()
        return Scalar(event.value, Span(start, end), event.style or "")


def comments(text: str, roots: list[Node]) -> list[Span]:
    """Where comments stand: a ``#`` in a scalar begins none."""
    places = sorted(_places(roots))
    found, at, next_place = [], 0, 0
    while match := _COMMENT.search(text, at):
        while next_place < len(places) and places[next_place][1] <= match.start():
            next_place += 1
        if next_place < len(places) and places[next_place][0] <= match.start():
            at = places[next_place][1]
            continue
        found.append(Span(match.start(), match.end()))
        at = match.end()
    return found


def _places(roots: list[Node]) -> set[tuple[int, int]]:
    """Where the scalars of all trees stand."""
    found: set[tuple[int, int]] = set()
    seen: set[int] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if isinstance(node, Scalar):
            found.add((node.place.start, node.place.end))
        elif id(node) not in seen:
            seen.add(id(node))
            if isinstance(node, Mapping):
                stack += [each for entry in node.entries for each in entry]
            else:
                stack += node.items
    return found
