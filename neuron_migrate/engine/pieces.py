"""One statement at a time under libcst: the smallest text that parses, and where its nodes stand.

Parsing a whole file costs about ten times ``ast.parse``; a migration touches few statements.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import ByteSpanPositionProvider, MetadataWrapper

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from neuron_migrate.engine.index import Statement
    from neuron_migrate.engine.names import Resolved
    from neuron_migrate.files.lines import Lines

_HEADERS = (
    ast.If,
    ast.While,
    ast.For,
    ast.AsyncFor,
    ast.With,
    ast.AsyncWith,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
)
_SKIPPED_FIELDS = frozenset(
    {"lpar", "rpar", "comma", "semicolon", "operator", "leading_lines", "header", "footer"}
)
_BLOCKS = frozenset({"body", "orelse", "finalbody", "handlers", "cases"})
_SHORT = 1_000
"""Characters in which nothing can be nested too deeply."""
_MAX_DEPTH = 400
_IS_NODE: dict[type, bool] = {}
_FIELDS: dict[type[cst.CSTNode], tuple[str, ...]] = {}


class PieceError(Exception):
    """A statement that libcst cannot take: ``reason`` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(slots=True, eq=False)
class Piece:
    """A parsed fragment of the file: ``text[start:end]`` with a wrapping that makes it a module."""

    statement: Statement
    start: int
    end: int
    prefix: str
    module: cst.Module
    source: str
    """The text that was parsed."""
    nodes: list[cst.CSTNode] = field(default_factory=list)
    """Every node worth matching, outer before inner."""
    parents: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    resolved: dict[cst.CSTNode, Resolved | None] = field(default_factory=dict)
    """What names and chains stand for, as far as it was asked."""
    _faithful: bool | None = None
    _spans: Mapping[cst.CSTNode, object] | None = None
    _encoded: bytes = b""

    @property
    def faithful(self) -> bool:
        """True when libcst gives the same text back; only then do its positions hold."""
        if self._faithful is None:
            self._faithful = self.module.code == self.source
        return self._faithful

    def span(self, node: cst.CSTNode) -> tuple[int, int]:
        """Offsets into the file of a node, without the parentheses around it."""
        if self._spans is None:
            wrapper = MetadataWrapper(self.module, unsafe_skip_copy=True)
            self._spans = wrapper.resolve(ByteSpanPositionProvider)
            self._encoded = self.source.encode()
        span = self._spans[node]
        before = self._characters(span.start)  # type: ignore[attr-defined]
        after = self._characters(span.start + span.length)  # type: ignore[attr-defined]
        shift = self.start - len(self.prefix)
        return shift + before, shift + after

    def _characters(self, bytes_before: int) -> int:
        if len(self._encoded) == len(self.source):
            return bytes_before
        return len(self._encoded[:bytes_before].decode())

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around ``node``, innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)


def fragments(statement: Statement, lines: Lines, text: str) -> Iterator[tuple[int, int, str, str]]:
    """The texts of a statement that rules may match: start, end, and what must stand around it."""
    node = statement.node
    if isinstance(node, ast.ExceptHandler):
        if node.type is not None:
            yield *extent(node.type, lines), "try: pass\nexcept (", "): pass"
        return
    if isinstance(node, ast.match_case):
        yield *extent(node.pattern, lines), "match _:\n case ", ": pass"
        if node.guard is not None:
            yield *extent(node.guard, lines), "(", ")"
        return
    if isinstance(node, ast.Match):
        yield *extent(node.subject, lines), "(", ")"
        return
    for decorator in getattr(node, "decorator_list", ()):
        yield *extent(decorator, lines), "@", "\ndef _(): pass"
    start, end = extent(node, lines)
    if isinstance(node, _HEADERS):
        colon = _header_end(node, start, lines, text)
        if text.startswith("elif", start):
            start += 2
        yield start, colon, "", " pass"
    elif not getattr(node, "body", None):
        yield start, end, "", ""


def parse(statement: Statement, start: int, end: int, around: tuple[str, str], text: str) -> Piece:
    """Parse one fragment.

    Raises PieceError when libcst does not take it.
    """
    prefix, suffix = around
    source = f"{prefix}{text[start:end]}{suffix}"
    if end - start > _SHORT and _too_deep(statement.node):
        raise PieceError(f"the statement is nested more than {_MAX_DEPTH} levels deep")
    try:
        module = cst.parse_module(source)
    except RecursionError as error:
        raise PieceError("the statement is nested too deeply") from error
    except Exception as error:  # libcst raises many kinds, some of them its own bugs
        raise PieceError(f"libcst cannot parse the statement ({type(error).__name__})") from error
    piece = Piece(statement, start, end, prefix, module, source)
    _collect(module, piece)
    return piece


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The child nodes that hold code, not whitespace or punctuation."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple or kind is list:
            yield from (item for item in value if _is_node(type(item)))
        elif _is_node(kind):
            yield value


def _is_node(kind: type) -> bool:
    """``isinstance`` asks an abstract base class anew for every object, which shows here."""
    known = _IS_NODE.get(kind)
    if known is None:
        known = _IS_NODE[kind] = issubclass(kind, cst.CSTNode)
    return known


def _too_deep(node: ast.AST) -> bool:
    """libcst recurses: what is nested very deep takes it minutes, or takes the process down."""
    stack = [(node, 0)]
    while stack:
        current, depth = stack.pop()
        if depth > _MAX_DEPTH:
            return True
        for name, value in ast.iter_fields(current):
            if name in _BLOCKS:
                continue
            inner = value if isinstance(value, list) else [value]
            stack.extend((each, depth + 1) for each in inner if isinstance(each, ast.AST))
    return False


def _collect(module: cst.Module, piece: Piece) -> None:
    stack: list[cst.CSTNode] = [module]
    nodes, parents = piece.nodes, piece.parents
    while stack:
        node = stack.pop()
        nodes.append(node)
        inner = list(children(node))
        for child in inner:
            parents[child] = node
        stack.extend(reversed(inner))


def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = _FIELDS.get(kind)
    if names is None:
        names = tuple(
            name
            for name in kind.__dataclass_fields__
            if name not in _SKIPPED_FIELDS and "whitespace" not in name
        )
        _FIELDS[kind] = names
    return names


def extent(node: ast.AST, lines: Lines) -> tuple[int, int]:
    """The offsets between which an ``ast`` node stands."""
    where: ast.expr = node  # type: ignore[assignment]
    start = lines.byte_offset(where.lineno, where.col_offset)
    return start, lines.byte_offset(where.end_lineno or 0, where.end_col_offset or 0)


def _header_end(node: ast.stmt, start: int, lines: Lines, text: str) -> int:
    """The offset after the colon: the first one outside comments after the last expression."""
    position = start
    for name, value in ast.iter_fields(node):
        if name in _BLOCKS or name == "decorator_list":
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                position = max(position, _last_offset(item, lines))
    while text[position] != ":":
        if text[position] == "#":
            while text[position] not in "\r\n":
                position += 1
        position += 1
    return position + 1


def _last_offset(node: ast.AST, lines: Lines) -> int:
    """Where a header part ends; ``arguments`` and ``withitem`` have no position of their own."""
    if hasattr(node, "end_lineno"):
        return extent(node, lines)[1]
    return max(
        (_last_offset(child, lines) for child in ast.iter_child_nodes(node)),
        default=0,
    )
