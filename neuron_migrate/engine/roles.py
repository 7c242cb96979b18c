"""Whether an object plays a part that classes of other projects have too, such as a tokenizer."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import inheritance, names
from neuron_migrate.engine.arguments import last_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding, Scope


@dataclass(frozen=True, slots=True)
class Part:
    """A part that a class of one of the packages plays, and how such objects are called."""

    words: tuple[str, ...]
    packages: tuple[str, ...]

    def is_played_by(self, receiver: cst.BaseExpression, here: Here) -> bool:
        """True when what the object is made by shows it, or its name where that is not seen."""
        made = [self._of_class(*each) for each in _classes(receiver, here)]
        if made:
            return all(made)
        return self._is_named(last_name(receiver)) and not self._has_other_classes(here)

    def _of_class(self, node: ast.expr, scope: Scope) -> bool:
        path = names.resolve_expression(node, scope)
        if path is not None:
            return self._is_ours(path)
        own = inheritance.own_class(node.id, scope) if isinstance(node, ast.Name) else None
        return own is not None and any(self._is_ours(path) for _, path in inheritance.lineage(*own))

    def _is_ours(self, path: str) -> bool:
        return path.partition(".")[0] in self.packages

    def _is_named(self, name: str) -> bool:
        return name.lower().endswith(self.words)

    def _has_other_classes(self, here: Here) -> bool:
        """True when the file has a class of this part that comes from somewhere else."""
        module = here.file.index.module
        bindings = (each for name in module.bindings.values() for each in name)
        return any(self._is_other_class(each, module) for each in bindings)

    def _is_other_class(self, binding: Binding, scope: Scope) -> bool:
        if not self._is_named(binding.name) or not binding.name[:1].isupper():
            return False
        return binding.kind in {"class", "import"} and not self._of_class(
            ast.Name(binding.name, ast.Load()), scope
        )


def _classes(receiver: cst.BaseExpression, here: Here) -> Iterator[tuple[ast.expr, Scope]]:
    """The classes that the object is visibly made by, with where they are named."""
    for value, scope in _values(receiver, here):
        if not isinstance(value, ast.Call):
            continue
        func = value.func
        if isinstance(func, ast.Attribute) and func.attr.startswith("from_"):
            func = func.value
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if name[:1].isupper():
            yield func, scope


def _values(receiver: cst.BaseExpression, here: Here) -> Iterable[tuple[ast.expr | None, Scope]]:
    """All that the object's name is given in the file."""
    if isinstance(receiver, cst.Name):
        if receiver.value in {"self", "cls"}:
            return _enclosing_class(here)
        found = names.lookup(receiver.value, here.scope)
        return [(each.value, each.scope) for each in found]
    if isinstance(receiver, cst.Attribute):
        given = here.file.index.attributes.get(receiver.attr.value, ())
        return [(value, statement.scope) for value, statement in given]
    if isinstance(receiver, cst.Call):
        return [(ast.parse(here.source(receiver).strip(), mode="eval").body, here.scope)]
    return []


def _enclosing_class(here: Here) -> list[tuple[ast.expr | None, Scope]]:
    """``self`` is made by the class around it."""
    for outer in here.piece.statement.ancestors():
        if isinstance(outer.node, ast.ClassDef):
            made = ast.Call(ast.Name(outer.node.name, ast.Load()), [], [])
            return [(made, outer.scope)]
    return []
