"""Reads an expression: the tensor or number that it gives, as far as the file shows it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from neuron_migrate.engine import names
from neuron_migrate.engine.visible import annotated, arithmetic, calls, flow
from neuron_migrate.engine.visible.values import Value, either, together

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Binding, Statement

_MAX_DEPTH = 12
_NO_COMPARISON = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
INTEGER = Value(frozenset({"int"}))
"""One of Python's integers."""


class Reader:
    """Reads expressions of one file."""

    def __init__(
        self, file: File, unknown: frozenset[str] = frozenset(), *, trusting: bool = False
    ) -> None:
        self.file = file
        self.unknown = unknown
        """Names that something around the expression binds anew."""
        self.trusting = trusting
        """Where only tensors may stand, what is compared are tensors."""
        self._open: set[Binding] = set()
        """Bindings that are being read: ``x = x.to(device)`` says nothing of its own."""
        self._depth = 0

    def read(self, node: ast.expr, at: Statement) -> Value | None:
        """The value of an expression in a statement; None unless it is a tensor or number."""
        reads = _READERS.get(type(node))
        if reads is None or self._depth >= _MAX_DEPTH:
            return None
        self._depth += 1
        try:
            return reads(self, node, at)
        finally:
            self._depth -= 1

    def read_one_of(self, node: ast.expr, at: Statement) -> Value | None:
        """The same; a list of tensors stands for what they have in common."""
        if not isinstance(node, (ast.List, ast.Tuple)):
            return self.read(node, at)
        values = [self.read(each, at) for each in node.elts]
        known = [value for value in values if value is not None]
        return either(known) if known and len(known) == len(values) else None

    def constant(self, node: ast.Constant, at: Statement) -> Value | None:
        del at
        kind = type(node.value)
        return Value(frozenset({kind.__name__})) if kind in (int, float, complex) else None

    def name(self, node: ast.Name, at: Statement) -> Value | None:
        if node.id in self.unknown:
            return None
        found: list[Value] = []
        for binding in flow.reaching(names.lookup(node.id, at.scope), at):
            if binding in self._open or isinstance(binding.statement.node, ast.AugAssign):
                continue
            self._open.add(binding)
            value = self._bound(binding)
            self._open.discard(binding)
            if value is None:
                return None
            found.append(value)
        return either(found) if found else None

    def _bound(self, binding: Binding) -> Value | None:
        node = binding.statement.node
        if binding.kind == "parameter":
            return annotated.value(binding.annotation, binding.scope)
        if binding.kind != "assign":
            return None
        if binding.value is not None:
            return self._elsewhere(binding.value, binding.statement)
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            ranges = isinstance(node.target, ast.Name) and ast.unparse(node.iter.func) == "range"
            return INTEGER if ranges else None
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            return self._unpacked(binding, node.targets[0], node.value)
        return None

    def _elsewhere(self, node: ast.expr, at: Statement) -> Value | None:
        """Reads another statement's expression: what shadows names here does not there."""
        hidden, self.unknown = self.unknown, frozenset()
        try:
            return self.read(node, at)
        finally:
            self.unknown = hidden

    def _unpacked(self, binding: Binding, target: ast.Tuple, value: ast.expr) -> Value | None:
        """One of the two results of ``values, indices = x.topk(5)``."""
        for index, element in enumerate(target.elts):
            if isinstance(element, ast.Name) and element.id == binding.name:
                return calls.one_of_pair(self, value, index, binding.statement)
        return None

    def attribute(self, node: ast.Attribute, at: Statement) -> Value | None:
        if isinstance(node.value, ast.Name) and node.value.id == "self":
            given = self.file.index.attributes.get(node.attr, [])
            values = [
                None if value is None else self._elsewhere(value, statement)
                for value, statement in given
            ]
            known = [value for value in values if value is not None]
            return either(known) if known and len(known) == len(values) else None
        if node.attr == "indices" and isinstance(node.value, ast.Call):
            return calls.one_of_pair(self, node.value, 1, at)
        return self.read(node.value, at) if node.attr in {"T", "mT", "data"} else None

    def subscript(self, node: ast.Subscript, at: Statement) -> Value | None:
        owner, index = node.value, node.slice
        if isinstance(owner, ast.Attribute) and owner.attr == "shape":
            return None if isinstance(index, ast.Slice) else INTEGER
        if isinstance(owner, ast.Call) and isinstance(index, ast.Constant):
            pair = calls.one_of_pair(self, owner, 1 if index.value == 1 else 0, at)
            if pair is not None:
                return pair
        value = self.read(owner, at)
        return value if value is not None and value.is_tensor else None

    def compare(self, node: ast.Compare, at: Statement) -> Value | None:
        if any(isinstance(op, _NO_COMPARISON) for op in node.ops):
            return None
        sides = [self.read(each, at) for each in (node.left, *node.comparators)]
        tensors = [side for side in sides if side is not None and side.is_tensor]
        if not tensors and not (self.trusting and None in sides and not _has_text(node)):
            return None
        return Value(frozenset({"bool"}), together(tensors))

    def binary(self, node: ast.BinOp, at: Statement) -> Value | None:
        return arithmetic.result(node.op, self.read(node.left, at), self.read(node.right, at))

    def unary(self, node: ast.UnaryOp, at: Statement) -> Value | None:
        return None if isinstance(node.op, ast.Not) else self.read(node.operand, at)

    def choice(self, node: ast.IfExp, at: Statement) -> Value | None:
        body, other = self.read(node.body, at), self.read(node.orelse, at)
        return None if body is None or other is None else either((body, other))

    def call(self, node: ast.Call, at: Statement) -> Value | None:
        return calls.value(self, node, at)


def _has_text(node: ast.Compare) -> bool:
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str)
        for each in (node.left, *node.comparators)
    )


_READERS: dict[type[ast.expr], Callable[[Reader, Any, Statement], Value | None]] = {
    ast.Constant: Reader.constant,
    ast.Name: Reader.name,
    ast.Attribute: Reader.attribute,
    ast.Subscript: Reader.subscript,
    ast.Compare: Reader.compare,
    ast.BinOp: Reader.binary,
    ast.UnaryOp: Reader.unary,
    ast.IfExp: Reader.choice,
    ast.Call: Reader.call,
}
