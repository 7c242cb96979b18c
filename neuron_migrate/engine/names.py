"""What a name means: through imports, aliases, module variables and shadowing."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Binding, Scope

_MAX_HOPS = 8


@dataclass(frozen=True, slots=True)
class Resolved:
    """A dotted path in terms of what was imported, such as ``torch.cuda.amp.autocast``."""

    path: str
    guarded: bool = False
    """True when the name has another import or a fallback beside this one (try/except)."""
    binding: Binding | None = None
    """What binds the first name of the chain, if it is bound in this file."""


def lookup(name: str, scope: Scope) -> list[Binding]:
    """The bindings a read of ``name`` in ``scope`` can see, by Python's scoping rules."""
    where = scope.elsewhere.get(name)
    current: Scope | None = scope
    if where == "global":
        while current is not None and current.parent is not None:
            current = current.parent
    elif where == "nonlocal":
        current = scope.parent
    first = current
    while current is not None:
        if name in current.bindings and (current is first or current.kind != "class"):
            return current.bindings[name]
        current = current.parent
    return []


def resolve(name: str, scope: Scope, hops: int = 0) -> Resolved | None:
    """The path a plain name stands for, or None when it is not, or not surely, an import."""
    if hops or name not in scope.resolved:
        found = _resolve(name, scope, hops)
        if hops:
            return found
        scope.resolved[name] = found
    return scope.resolved[name]


def _resolve(name: str, scope: Scope, hops: int) -> Resolved | None:
    bindings = lookup(name, scope)
    real = [binding for binding in bindings if not _is_fallback(binding)]
    if not real or hops > _MAX_HOPS:
        return None
    guarded = len(real) < len(bindings) or any(each.statement.is_fallback for each in real)
    paths = {_path(binding, hops) for binding in real}
    if len(paths) > 1:
        imports = {binding.target for binding in real if binding.kind == "import"}
        if len(imports) == 1 and all(b.statement.is_fallback or b.kind == "import" for b in real):
            return Resolved(imports.pop() or "", True, real[0])
        return None
    path = paths.pop()
    if path is None:
        return None
    return Resolved(path, guarded, real[0])


def resolve_expression(node: ast.expr, scope: Scope, hops: int = 0) -> str | None:
    """The path of an ``ast`` attribute chain such as ``th.cuda``."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    found = resolve(node.id, scope, hops + 1)
    return ".".join([found.path, *reversed(names)]) if found else None


def _path(binding: Binding, hops: int) -> str | None:
    if binding.kind == "import":
        return binding.target
    if binding.kind == "assign" and isinstance(binding.value, (ast.Name, ast.Attribute)):
        return resolve_expression(binding.value, binding.scope, hops)
    return None


def _is_fallback(binding: Binding) -> bool:
    """``name = None`` beside an import says that the import may fail, not what the name means."""
    value = binding.value
    return binding.kind == "assign" and isinstance(value, ast.Constant) and value.value is None
