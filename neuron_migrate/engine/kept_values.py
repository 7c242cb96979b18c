"""Values that only a kept CUDA test sets: a renamed test must not lead to their use.

After ``if torch.cuda.is_available(): self.kernel = …`` that stays, ``if x.is_cuda`` may not come
true on Neuron where its code uses ``self.kernel``.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.engine import guarded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Scope, Statement

Spans = list[tuple[int, int]]


class KeptValue(NamedTuple):
    """A variable, or without a scope an attribute, that has a value under a kept test only."""

    name: str
    scope: Scope | None


def used(file: File, kept: Iterable[Draft], guard: Draft) -> KeptValue | None:
    """A value that the tests kept are needed for, and that the code under the guard uses."""
    assert guard.test is not None
    spans = [*guarded.stretches(file, *guard.test), *guarded.stored(file, *guard.test)]
    text = " ".join(file.text[start:end] for start, end in spans)
    for value in (each for test in kept for each in _set_under(file, test, guard)):
        if re.search(rf"\b{value.name}\b", text) and _is_read(file, value, spans):
            return value
    return None


def _set_under(file: File, test: Draft, guard: Draft) -> Iterator[KeptValue]:
    """The values that are nothing, or not there, unless a test holds; none for a guard under it."""
    assert test.test is not None
    spans = list(guarded.stretches(file, *test.test))
    if _within(guard.start, spans):
        return
    inside = [each for each in file.index.statements if _within(_start(file, each), spans)]
    held = set(inside)
    for scope in dict.fromkeys([*(each.scope for each in inside), file.index.module]):
        for name, bindings in scope.bindings.items():
            places = [(each.value, each.statement) for each in bindings]
            taken = any(each.kind == "parameter" for each in bindings)
            if not taken and _only_there(places, held):
                yield KeptValue(name, scope)
    for name, places in file.index.attributes.items():
        if _only_there(places, held):
            yield KeptValue(name, None)


def _only_there(places: Sequence[tuple[ast.expr | None, Statement]], held: set[Statement]) -> bool:
    elsewhere = [value for value, statement in places if statement not in held]
    nothing = all(isinstance(each, ast.Constant) and each.value is None for each in elsewhere)
    return nothing and len(elsewhere) < len(places)


def _is_read(file: File, value: KeptValue, spans: Spans) -> bool:
    places = (
        file.attributes(value.name) if value.scope is None else file.uses(value.name, value.scope)
    )
    return any(_within(piece.span(node)[0], spans) for piece, node in places)


def _start(file: File, statement: Statement) -> int:
    return file.lines.byte_offset(*statement.start)


def _within(offset: int, spans: Spans) -> bool:
    return any(start <= offset < end for start, end in spans)
