"""Variables that a service, a job or a step is given: as a mapping or as a list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Span, Variable, VariableUse
from neuron_migrate.engine.texts.nodes import Mapping, Scalar, Sequence
from neuron_migrate.engine.texts.scalars import part
from neuron_migrate.engine.texts.shapes.kinds import is_known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.engine.texts.nodes import Node

_NAME = re.compile(r"[A-Za-z_]\w*")
_PAIR = re.compile(r"([A-Za-z_]\w*)(?:=(.*))?", re.DOTALL)


def variables(node: Node, source: str) -> Iterator[Variable | VariableUse]:
    """The variables that the value of a key such as ``env`` sets or hands on."""
    if isinstance(node, Mapping):
        for key, value in node.merged().values():
            if _NAME.fullmatch(key.text):
                yield _variable(key, value)
    elif isinstance(node, Sequence):
        for each in node.items:
            if isinstance(each, Scalar):
                yield from _pair(each, source)
            elif isinstance(each, Mapping):
                yield from _named(each)


def _named(entry: Mapping) -> Iterator[Variable]:
    """``{name: A, value: "1"}``; one without a value takes it from elsewhere."""
    name = entry.get("name")
    if isinstance(name, Scalar) and _NAME.fullmatch(name.text):
        yield _variable(name, entry.get("value"))


def _variable(name: Scalar, value: Node | None) -> Variable:
    if isinstance(value, Mapping):
        value = value.get("value")
    if not isinstance(value, Scalar):
        return Variable(name.text, None, name.inner, name.inner)
    written = value.text if is_known(value.text) else None
    place = Span(min(name.inner.start, value.place.start), max(name.inner.end, value.place.end))
    return Variable(name.text, written, place, name.inner, value.inner)


def _pair(item: Scalar, source: str) -> Iterator[Variable | VariableUse]:
    """``A=1``; a bare ``A`` hands a variable on."""
    match, text = _PAIR.fullmatch(item.text), part(item, source)
    if match is None or text is None:
        return
    name = text.span(Span(0, len(match[1])))
    if match[2] is None:
        yield VariableUse(match[1], name)
        return
    value = text.span(Span(match.start(2), match.end(2)))
    known = match[2] if is_known(match[2]) else None
    yield Variable(match[1], known, Span(name.start, value.end), name, value)
