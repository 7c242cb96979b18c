"""Whether the process group of torch.distributed is set up where code runs."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.index import Node, Statement

_SETS_UP = "init_process_group"
_ALWAYS_TRUE = re.compile(r"__name__|is_initialized|is_available")
_STARTED_ELSEWHERE = re.compile(r"\b(spawn|launch)\(")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS = (*_FUNCTIONS, ast.ClassDef)
_LEAVES = (ast.Return, ast.Continue, ast.Break)


@dataclass(slots=True)
class ProcessGroup:
    """The places of a file that set up the process group."""

    file: File
    names: set[str] = field(default_factory=lambda: {_SETS_UP})
    """The functions that do it whenever they are called."""

    def __post_init__(self) -> None:
        functions = [
            each.node for each in self.file.index.statements if isinstance(each.node, _FUNCTIONS)
        ]
        found = True
        while found:
            found = False
            for function in functions:
                if function.name not in self.names and self._sets_up(function.body):
                    self.names.add(function.name)
                    found = True

    @property
    def is_sure(self) -> bool:
        """True when no condition decides whether it is set up."""
        module = [each.node for each in self.file.index.statements if each.parent is None]
        return len(self.names) > 1 or self._sets_up(module)

    def comes_first(self, statement: Statement) -> bool:
        """True when it is certainly set up before a statement runs."""
        return self._comes_first(statement, frozenset())

    def comes_after(self, statement: Statement) -> bool:
        """True when the statement runs first, by the order of its function or module."""
        before: list[Node] = []
        after: list[Node] = [statement.node]
        for inner in _within_function(statement):
            place = next(i for i, each in enumerate(inner.siblings) if each is inner)
            before += [each.node for each in inner.siblings[:place]]
            after += [each.node for each in inner.siblings[place + 1 :]]
        return not self._is_spoken_of(before) and self._is_spoken_of(after)

    def _comes_first(self, statement: Statement, asked: frozenset[Statement]) -> bool:
        inner = statement
        for inner in _within_function(statement):
            if self._sets_up([each.node for each in _before(inner)]):
                return True
        outer = inner.parent
        if outer is None or outer in asked:
            return False
        asked |= {outer}
        return self._comes_first(outer, asked) or (
            isinstance(outer.node, _FUNCTIONS) and self._is_called_after(outer, outer.node, asked)
        )

    def _is_called_after(
        self,
        function: Statement,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        asked: frozenset[Statement],
    ) -> bool:
        """True when nothing calls a function, as far as the file shows, before it is set up."""
        owner = function.parent.node if function.parent is not None else None
        if isinstance(owner, ast.ClassDef):
            made = next((each for each in owner.body if _is_constructor(each)), None)
            bound = not node.decorator_list and made is not node
            return bound and isinstance(made, ast.FunctionDef) and self._sets_up(made.body)
        uses = list(self.file.uses(node.name, function.scope))
        calls = [
            piece.statement
            for piece, name in uses
            if isinstance(call := piece.parents.get(name), cst.Call) and call.func is name
        ]
        return (
            bool(calls)
            and len(calls) == len(uses)
            and all(self._comes_first(each, asked) for each in calls)
        )

    def _sets_up(self, block: Sequence[Node]) -> bool:
        """True when a block sets it up whichever way it goes."""
        for node in block:
            if self._does(node):
                return True
            if _may_leave(node):
                return False
        return False

    def _does(self, node: Node) -> bool:
        if isinstance(node, _DEFINITIONS):
            return False
        if isinstance(node, ast.If):
            other = ast.unparse(ast.Module(node.orelse, []))
            return self._sets_up(node.body) and bool(
                _ALWAYS_TRUE.search(ast.unparse(node.test))
                or self._sets_up(node.orelse)
                or _STARTED_ELSEWHERE.search(other)
            )
        blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
        inner = [block for block in blocks if block]
        if inner:
            return any(self._sets_up(block) for block in inner)
        return self._is_spoken_of([node])

    def _is_spoken_of(self, nodes: Iterable[Node]) -> bool:
        """True when it is called anywhere in the statements."""
        return any(
            isinstance(each, ast.Call) and _called(each) in self.names
            for node in nodes
            if not isinstance(node, _DEFINITIONS)
            for each in ast.walk(node)
        )


def _within_function(statement: Statement) -> Iterator[Statement]:
    """A statement and those around it, up to the function or class that holds them."""
    yield statement
    for outer in statement.ancestors():
        if isinstance(outer.node, _DEFINITIONS):
            return
        yield outer


def _before(statement: Statement) -> Iterator[Statement]:
    for each in statement.siblings:
        if each is statement:
            return
        yield each


def _called(call: ast.Call) -> str:
    """The name of a function that is called: that of torch, or one of the file."""
    func = call.func
    if isinstance(func, ast.Name):
        return func.id
    if isinstance(func, ast.Attribute):
        own = isinstance(func.value, ast.Name) and func.value.id in {"self", "cls"}
        return func.attr if own or func.attr == _SETS_UP else ""
    return ""


def _may_leave(node: Node) -> bool:
    """``if not distributed: return``, after which the rest does not run."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.body[-1], _LEAVES)
        and not _ALWAYS_TRUE.search(ast.unparse(node.test))
    )


def _is_constructor(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "__init__"
