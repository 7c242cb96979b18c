"""Variables of a script that hold words of commands: ``ARGS="--fp16"``, ``CMD+=" --bf16"``."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias

from neuron_migrate.engine.texts.facts import Word
from neuron_migrate.engine.texts.readers.shell_words import literal
from neuron_migrate.engine.texts.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_REFERENCE = re.compile(r'"?\$(?:\{(\w+)(?:\[[@*]\])?\}|(\w+))"?')
_READ = re.compile(r"\$\{?(\w+)")
_Place: TypeAlias = "tuple[Node, Tree]"
_DEPTH = 4
_ALTERNATIVES = 4
_WORDS = 2_000


class Bindings:
    """What the variables of a script stand for, as words with their places."""

    def __init__(self, text: str) -> None:
        """``text`` is the whole code, for counting who reads a variable."""
        self._text = text
        self._values: dict[str, list[list[_Place]]] = {}
        self._known: dict[tuple[str, int], list[_Place]] = {}

    def add(self, name: str, value: Node, tree: Tree, *, append: bool) -> None:
        """Remember an assignment; one with ``+=`` continues the last one."""
        values = self._values.setdefault(name, [])
        if append and values:
            values[-1].append((value, tree))
        else:
            values.append([(value, tree)])

    def lines(self, nodes: list[Node], tree: Tree) -> Iterator[list[Word]]:
        """The command lines that the words of one can become, by what variables hold."""
        last: list[Word] = []
        for choice in range(_ALTERNATIVES):
            every = (word for node in nodes for word in self._words(node, tree, choice, 0))
            words = list(islice(every, _WORDS))
            if not words or words == last:
                return
            yield words
            last = words

    def _words(self, node: Node, tree: Tree, choice: int, depth: int) -> Iterator[Word]:
        text = literal(node, tree)
        name = None if text is not None else _referred(tree.source(node))
        if name is None or depth >= _DEPTH or name not in self._values:
            yield Word(text, tree.span(node))
            return
        shared = self._readers[name] > 1
        for inner, own in self._parts(name, choice):
            for word in self._words(inner, own, choice, depth + 1):
                yield replace(word, shared=True) if shared else word

    def _parts(self, name: str, choice: int) -> list[_Place]:
        values = self._values[name]
        key = (name, min(choice, len(values) - 1))
        if key not in self._known:
            parts = (part for value, tree in values[key[1]] for part in _parts(value, tree))
            self._known[key] = list(islice(parts, _WORDS))
        return self._known[key]

    @cached_property
    def _readers(self) -> Counter[str]:
        return Counter(match[1] for match in _READ.finditer(self._text))


def _referred(source: str) -> str | None:
    match = _REFERENCE.fullmatch(source)
    return None if match is None else match[1] or match[2]


def _parts(value: Node, tree: Tree) -> Iterator[_Place]:
    """The words of an assigned value: the entries of an array, the words in a string."""
    if value.type == "array":
        yield from ((child, tree) for child in value.children if is_word(child))
    elif value.type in {"string", "raw_string"}:
        source = tree.source(value)[1:-1]
        inner = Tree(source, "bash", tree.span(value).start + 1)
        commands = [each for each in inner.root.children if each.type != "comment"]
        if len(commands) == 1 and commands[0].type == "command" and not inner.root.has_error:
            yield from ((each, inner) for each in words_of(commands[0]))
        elif source.strip():
            yield value, tree
    else:
        yield value, tree


def words_of(command: Node) -> list[Node]:
    """The words of a command, the program first."""
    inner = (
        each.children[0] if each.type == "command_name" and each.children else each
        for each in command.children
    )
    return [each for each in inner if is_word(each)]


def is_word(node: Node) -> bool:
    """Whether a node is a word of a command or an entry of an array."""
    return (
        node.is_named
        and node.type not in {"variable_assignment", "comment", "ERROR"}
        and not node.type.endswith("redirect")
    )
