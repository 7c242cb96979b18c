"""Environments of conda: what they install, by conda and by pip."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

from neuron_migrate.engine.texts import options
from neuron_migrate.engine.texts.conda_specs import requirement
from neuron_migrate.engine.texts.facts import PackageIndex, ReadError, Reading, Requirement, Span
from neuron_migrate.engine.texts.options import Argument
from neuron_migrate.engine.texts.pep508 import requirement as by_pip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruamel.yaml.nodes import Node

_REST = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_DEPENDENCIES = re.compile(r"^dependencies[ \t]*:", re.MULTILINE)


def read(text: str, path: str) -> Reading:
    """The facts of a YAML file; there are none when it is no environment of conda."""
    del path
    reading = Reading()
    if not _DEPENDENCIES.search(text):
        return reading
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an anchor that is used again
            roots = list(YAML().compose_all(text))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise ReadError(error.problem or "not valid YAML", mark.index if mark else 0) from error
    except (YAMLError, RecursionError) as error:
        raise ReadError(f"not valid YAML: {error}") from error
    for root in roots:
        reading.facts += environment(root, text)
    reading.comments += _comments(text)
    return reading


def environment(root: Node | None, text: str) -> Iterator[PackageIndex | Requirement]:
    """What a tree of YAML asks for that is an environment of conda."""
    for key, value in _entries(root):
        if key == "channels":
            for each in _scalars(value):
                yield PackageIndex(each.value, _place(each))
        elif key == "dependencies" and isinstance(value, SequenceNode):
            yield from _dependencies(value, text)


def _dependencies(node: SequenceNode, text: str) -> Iterator[PackageIndex | Requirement]:
    for each in node.value:
        if isinstance(each, ScalarNode):
            found = requirement(each.value, _place(each).start)
            if found is not None:
                yield _placed(found, each, node, text)
        for key, value in _entries(each):
            if key == "pip" and isinstance(value, SequenceNode):
                yield from _by_pip(value, text)


def _by_pip(node: SequenceNode, text: str) -> Iterator[PackageIndex | Requirement]:
    """Lines as a requirements file has them."""
    for each in _scalars(node):
        start = _place(each).start
        words = [
            Argument(word[0], span := Span(start + word.start(), start + word.end()), span)
            for word in re.finditer(r"\S+", each.value)
        ]
        given = options.read(words)
        yield from (*given.indexes, *given.exclusive)
        found = None if each.value.startswith("-") else by_pip(each.value, start)
        if found is not None:
            yield _placed(found, each, node, text)


def _placed(found: Requirement, item: ScalarNode, node: SequenceNode, text: str) -> Requirement:
    place = _place(item)
    found = replace(found, removal=_line(place, text), among=Span(*_marks(node)))
    if text[place.start : place.end] == item.value:
        return found
    return replace(found, span=place, name_span=None, specifier_span=None)


def _line(item: Span, text: str) -> Span | None:
    """The line of an item that has one to itself."""
    start = max(text.rfind("\n", 0, item.start), text.rfind("\r", 0, item.start)) + 1
    end = _REST.match(text, item.end)
    assert end is not None
    after = end[0].strip(" \t\r\n\"'")
    alone = text[start : item.start].strip(" \t\"'") == "-" and (not after or after[0] == "#")
    return Span(start, end.end()) if alone else None


def _entries(node: Node | None) -> Iterator[tuple[str, Node]]:
    if isinstance(node, MappingNode):
        for key, value in node.value:
            if isinstance(key, ScalarNode):
                yield key.value, value


def _scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, SequenceNode):
        yield from (each for each in node.value if isinstance(each, ScalarNode))


def _marks(node: Node) -> tuple[int, int]:
    return node.start_mark.index, node.end_mark.index


def _place(node: ScalarNode) -> Span:
    """Where the text of a scalar stands, without quotes."""
    start, end = _marks(node)
    return Span(start + 1, end - 1) if node.style in {'"', "'"} else Span(start, end)


def _comments(text: str) -> list[Span]:
    """Comments; a ``#`` in quotes is taken for one too, which costs no more than a fix."""
    return [
        Span(match.start(), match.end())
        for match in re.finditer(r"(?:^|(?<=[ \t]))#[^\r\n]*", text, re.MULTILINE)
    ]
