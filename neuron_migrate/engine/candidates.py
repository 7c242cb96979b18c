"""Which statements of a file are looked at, and by which matchers."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from neuron_migrate.engine.triggers import Triggers, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Binding, Index, Statement

Chosen = frozenset[int]
"""The places of matchers in the list of all."""


class Candidates:
    """The trigger words of a run, and what looks at a statement that holds them.

    A statement is worth parsing only for a rule one of whose words it holds, and only the matcher
    of such a rule has to see it.
    """

    def __init__(self, catalog: Catalog, words: Sequence[frozenset[str]]) -> None:
        """``words`` are the trigger words of every matcher's rules."""
        self._triggers = Triggers(catalog.gates)
        self._users: defaultdict[str, set[int]] = defaultdict(set)
        for number, each in enumerate(words):
            for word in each:
                self._users[word].add(number)
                if word.endswith("(") and word[:-1].isidentifier():
                    self._users[word[:-1]].add(number)

    def of(self, file: File) -> tuple[list[int], dict[Statement, Chosen]]:
        """Where trigger words stand, and the statements that hold them, both in order."""
        packages = None if file.index.star_imports else file.roots
        words, names = self._triggers.in_text(file.text, packages)
        users = {word: self._users[word] for word in words}
        for alias, meant in _aliases(file.index, names).items():
            users[alias] = users.get(alias, set()).union(*(self._users[name] for name in meant))
        starts: list[int] = []
        found: dict[Statement, set[int]] = {}
        for start, word in occurrences(users, file.text):
            starts.append(start)
            statement = file.statement_at(start)
            if statement is not None:
                found.setdefault(statement, set()).update(users[word])
        ordered = sorted(found, key=lambda statement: statement.start)
        return sorted(starts), {statement: frozenset(found[statement]) for statement in ordered}


def _aliases(index: Index, words: frozenset[str]) -> Mapping[str, set[str]]:
    """Names that stand for something with a word in its path, also through each other."""
    found: dict[str, set[str]] = {}
    if not words:
        return found
    sources = list(_sources(index))
    grown = True
    while grown:
        grown = False
        for name, path in sources:
            meant = {part for part in path if part in words}
            meant.update(*(found[part] for part in path if part in found))
            if not meant <= found.get(name, set()):
                found.setdefault(name, set()).update(meant)
                grown = True
    return found


def _sources(index: Index) -> Iterator[tuple[str, list[str]]]:
    """Names that imports and ``name = a.b`` bind to a path, with the parts of the path.

    A class stands for what it inherits from, too.
    """
    for scope in dict.fromkeys(statement.scope for statement in index.statements):
        for bindings in scope.bindings.values():
            for binding in bindings:
                if binding.target is not None:
                    yield binding.name, binding.target.split(".")
                elif binding.kind == "class":
                    yield from ((binding.name, list(_parts(base))) for base in _bases(binding))
                elif isinstance(binding.value, (ast.Attribute, ast.Name)):
                    yield binding.name, list(_parts(binding.value))


def _bases(binding: Binding) -> Iterable[ast.expr]:
    node = binding.statement.node
    return node.bases if isinstance(node, ast.ClassDef) else ()


def _parts(node: ast.expr) -> Iterator[str]:
    while isinstance(node, ast.Attribute):
        yield node.attr
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
