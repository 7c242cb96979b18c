"""The literals that are a value of a rule, however the file writes or builds them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import literals
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import ValueMatch
    from neuron_migrate.engine.here import Here

CONSTANTS = frozenset({"True", "False", "None"})


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal as the file writes it, and the expression that it is built into."""

    node: cst.SimpleString | cst.FormattedString | cst.BaseExpression
    """The node to rewrite."""
    whole: cst.BaseExpression
    """The node that has the value, such as ``"cuda:%d" % rank``."""
    word: str
    """The value it is, without an index."""
    indexed: bool = False
    part: bool = False
    """It is one of the values in a comma-separated string."""


class Wanted:
    """The values of one rule."""

    def __init__(self, pattern: ValueMatch) -> None:
        self.pattern = pattern
        self.values = frozenset(_key(ast.literal_eval(source)) for source in pattern.values)
        self.words = tuple(value[1] for value in self.values if isinstance(value[1], str))
        self.plain = any(kind != "str" for kind, _ in self.values)

    def takes(self, node: type[cst.CSTNode]) -> bool:
        """True when a value of this rule may be such a node."""
        if node in {cst.SimpleString, cst.FormattedString}:
            return bool(self.words) and (node is cst.SimpleString or self.pattern.indexed)
        if node is cst.Call:
            return bool(self.pattern.calls)
        return self.plain or (node is cst.Dict and self.pattern.wrapped)

    def find(self, node: cst.BaseExpression, here: Here) -> Literal | None:
        """The node as a value of this rule, if it is one."""
        roots = here.file.certain_roots if self.pattern.certain else here.file.roots
        if self.pattern.requires and roots.isdisjoint(self.pattern.requires):
            return None
        if self.pattern.unless and re.search(self.pattern.unless, here.file.text):
            return None
        if isinstance(node, cst.FormattedString):
            return self._formatted(node)
        if isinstance(node, cst.SimpleString):
            return self._string(node, here)
        if isinstance(node, cst.Dict) and self.pattern.wrapped:
            inner = _wrapped(node)
            if inner is not None and self.find(inner, here) is not None:
                return Literal(node, node, "")
        if isinstance(node, cst.Call):
            return Literal(node, node, "") if self._called(node, here) else None
        return self._plain(node, here) if self.plain else None

    def _called(self, node: cst.Call, here: Here) -> bool:
        calls = self.pattern.calls
        return bool(calls) and not node.args and here.path(node.func) in calls

    def _plain(self, node: cst.BaseExpression, here: Here) -> Literal | None:
        """The node as a number, a truth value or a dict of this rule."""
        if isinstance(node, cst.Name) and node.value not in CONSTANTS:
            return None
        if isinstance(node, (cst.Integer, cst.UnaryOperation, cst.Dict, cst.Name)):
            source = here.source(node)
            if literals.is_literal(source) and _key(literals.evaluate(source)) in self.values:
                return Literal(node, node, "")
        return None

    def _string(self, node: cst.SimpleString, here: Here) -> Literal | None:
        if "b" in node.prefix.lower():
            return None
        text = node.raw_value
        if ("str", text) in self.values:
            return Literal(node, node, text, part=self.pattern.parts)
        if self.pattern.parts:
            found = next((each for each in self.words if each in text.split(",")), None)
            return Literal(node, node, found, part=True) if found else None
        if not self.pattern.indexed:
            return None
        for word in self.words:
            rest = text.removeprefix(word)
            if rest == text or not rest.startswith(":"):
                continue
            if rest[1:].isdigit():
                return Literal(node, node, word, indexed=True)
            whole = _built(node, rest, here)
            if whole is not None:
                return Literal(node, whole, word, indexed=whole is not node)
        return None

    def _formatted(self, node: cst.FormattedString) -> Literal | None:
        first = node.parts[0] if node.parts else None
        if not self.pattern.indexed or not isinstance(first, cst.FormattedStringText):
            return None
        others = node.parts[1:]
        for word in self.words:
            if first.value == f"{word}:" and len(others) == 1:
                return Literal(node, node, word, indexed=True)
            if re.fullmatch(rf"{re.escape(word)}:\d+", first.value) and not others:
                return Literal(node, node, word, indexed=True)
        return None


def _built(node: cst.SimpleString, rest: str, here: Here) -> cst.BaseExpression | None:
    """The expression that completes ``"cuda:"``, ``"cuda:%d"`` or ``"cuda:{}"``."""
    parent = here.parent(node)
    if isinstance(parent, cst.BinaryOperation) and parent.left is node:
        joined = isinstance(parent.operator, cst.Add) and rest == ":"
        filled = isinstance(parent.operator, cst.Modulo) and rest in {":%d", ":%s", ":%i"}
        return parent if joined or filled else None
    if isinstance(parent, cst.Attribute) and parent.attr.value == "format":
        call = here.parent(parent)
        if isinstance(call, cst.Call) and re.fullmatch(r":\{\w*\}", rest):
            return call
    if isinstance(parent, cst.Arg) and rest == ":":
        call = here.parent(parent)
        if isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute):
            return node if call.func.attr.value == "startswith" else None
    return None


def _wrapped(node: cst.Dict) -> cst.BaseExpression | None:
    """The value of a dict that holds it under an empty key, and nothing else."""
    only = node.elements[0] if len(node.elements) == 1 else None
    if isinstance(only, cst.DictElement) and string_value(only.key) == "":
        return only.value
    return None


def _key(value: object) -> tuple[str, object]:
    """A value with its type, so that 0 and False differ; containers by their source."""
    name = type(value).__name__
    return name, value if isinstance(value, (str, int)) else repr(value)
