"""A file under analysis: its statements, its pieces and what was found so far."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import fallbacks, names, pieces, tokens
from neuron_migrate.engine.declined import declines_nothing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.index import Binding, Index, Scope, Statement
    from neuron_migrate.engine.meaning import Meaning, Role
    from neuron_migrate.engine.pieces import Piece
    from neuron_migrate.files.lines import Lines
    from neuron_migrate.finding import Target

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_SHORT_STRING = re.compile(r"""(?<!['"\w])(['"])[\w./:-]*\1(?!['"])""")


class File:
    """The text of one file, its index, its pieces and the findings so far."""

    def __init__(
        self,
        text: str,
        path: str,
        lines: Lines,
        index: Index,
        target: Target,
        allows: Callable[[Draft], bool] = lambda draft: True,
        declined: Declined = declines_nothing,
    ) -> None:
        self.text = text
        self._allows = allows
        self._declined = declined
        self.is_package = path.endswith("__init__.py")
        self.is_stub = path.endswith(".pyi")
        self.lines = lines
        self.index = index
        self.target: Target = target
        self.drafts: list[Draft] = []
        self.problems: list[tuple[Statement, str]] = []
        """Statements that libcst could not take, and why."""
        self.claimed: set[cst.CSTNode] = set()
        """Nodes that one rule speaks about, so that others say nothing about what is in them."""
        self.moved: set[str] = set()
        """Paths of imported names that a rule moves, so that others say nothing about them."""
        self.rewritten: dict[Binding, list[Draft]] = {}
        """Uses of a module that lead to another one, by what binds its name."""
        self.flows: dict[tuple[Meaning, str, Scope], Role] = {}
        """Where names lead, as far as it was asked."""
        self._readers: dict[
            str, tuple[dict[ast.AST | None, Statement], dict[Scope, list[Statement]]]
        ] = {}
        self._pieces: dict[Statement, list[Piece]] = {}
        self._fragments: dict[tuple[Statement, int], Piece | None] = {}

    @cached_property
    def quote(self) -> str:
        """The quotes that most short strings of the file are written in."""
        counts = {'"': 0, "'": 0}
        for found in _SHORT_STRING.finditer(self.text):
            counts[found.group(1)] += 1
        return "'" if counts["'"] > counts['"'] else '"'

    @cached_property
    def code(self) -> str:
        """The text without comments and without strings of more than one word."""
        try:
            found = [each for each in tokens.tokens(self.text) if not _is_prose(each)]
        except tokens.TokenError:
            return self.text
        return "".join(
            each.text if before is None or before.end == each.start else f" {each.text}"
            for before, each in zip([None, *found], found, strict=False)
        )

    @cached_property
    def roots(self) -> frozenset[str]:
        """The top-level packages that the file imports, wherever it does."""
        return frozenset(root for _, root in self._imported())

    @cached_property
    def certain_roots(self) -> frozenset[str]:
        """Those of them that the program does not survive without."""
        return frozenset(
            root for statement, root in self._imported() if fallbacks.fallback(statement) is None
        )

    def _imported(self) -> Iterator[tuple[Statement, str]]:
        for statement in self.index.statements:
            node = statement.node
            if isinstance(node, ast.Import):
                yield from ((statement, alias.name.partition(".")[0]) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                yield statement, node.module.partition(".")[0]

    def add(self, draft: Draft) -> None:
        """Keep a finding; one that is not wanted, or whose fix is not, loses its fix at once."""
        draft.declined = self._declined(draft.rule.code, draft.start, draft.end)
        if draft.declined or not self._allows(draft):
            draft.hidden = True
            draft.withheld, draft.fix, draft.edits = draft.fix, None, []
        self.drafts.append(draft)

    def pieces(self, statement: Statement, holding: Sequence[int] | None = None) -> list[Piece]:
        """The parsed fragments of a statement; what libcst cannot take is noted as a problem.

        With ``holding``, sorted offsets, only those in which one of them lies.
        """
        if statement in self._pieces:
            return self._pieces[statement]
        parsed: list[Piece] = []
        whole = True
        for start, end, prefix, suffix in pieces.fragments(statement, self.lines, self.text):
            if holding is not None and not _lies_within(holding, start, end):
                whole = False
                continue
            piece = self._fragment(statement, start, end, (prefix, suffix))
            if piece is not None:
                parsed.append(piece)
        if whole:
            self._pieces[statement] = parsed
        return parsed

    def _fragment(
        self, statement: Statement, start: int, end: int, around: tuple[str, str]
    ) -> Piece | None:
        key = (statement, start)
        if key not in self._fragments:
            try:
                piece = pieces.parse(statement, start, end, around, self.text)
            except pieces.PieceError as error:
                self.problems.append((statement, error.reason))
                piece = None
            self._fragments[key] = piece
        return self._fragments[key]

    def statements_with(self, pattern: re.Pattern[str]) -> Iterator[Statement]:
        """The statements whose own text a pattern occurs in, in order, bare strings left out."""
        last: Statement | None = None
        for found in pattern.finditer(self.text):
            statement = self.statement_at(found.start())
            if statement is not None and statement is not last:
                last = statement
                yield statement

    def statement_at(self, offset: int) -> Statement | None:
        """The statement in whose own text an offset lies; none for a bare string."""
        line, column = self.lines.byte_position(offset)
        statement = self.index.at(line, column)
        if statement is None or _says_nothing(statement.node, line):
            return None
        return statement

    @cached_property
    def _statements_by_word(self) -> dict[str, list[Statement]]:
        """The statements that hold each identifier, in order."""
        found: dict[str, list[Statement]] = {}
        for word in _IDENTIFIER.finditer(self.text):
            statement = self.statement_at(word.start())
            if statement is None:
                continue
            known = found.setdefault(word.group(), [])
            if not known or known[-1] is not statement:
                known.append(statement)
        return found

    def reads(self, attribute: str) -> Iterator[tuple[Piece, cst.CSTNode]]:
        """The reads of an attribute of this name, whatever it is an attribute of."""
        for piece, node in self.attributes(attribute):
            if not isinstance(piece.parents.get(node), (cst.AssignTarget, cst.Call)):
                yield piece, node

    def attributes(self, name: str) -> Iterator[tuple[Piece, cst.Attribute]]:
        """The places where an attribute of this name is read, called or given a value."""
        for statement in self._statements_by_word.get(name, ()):
            for piece in self.pieces(statement):
                for node in piece.nodes:
                    if isinstance(node, cst.Attribute) and node.attr.value == name:
                        yield piece, node

    def uses(self, name: str, scope: Scope) -> Iterator[tuple[Piece, cst.Name]]:
        """The reads of a name that is bound in ``scope``."""
        if name not in self._readers:
            self._readers[name] = self._find_readers(name)
        headers, readers = self._readers[name]
        own = headers.get(scope.node)
        for statement in [*readers.get(scope, ()), *([own] if own else [])]:
            for piece in self.pieces(statement):
                for node in piece.nodes:
                    if isinstance(node, cst.Name) and node.value == name and _is_read(piece, node):
                        yield piece, node

    def _find_readers(
        self, name: str
    ) -> tuple[dict[ast.AST | None, Statement], dict[Scope, list[Statement]]]:
        """The statements that may read a name, by the scope it is bound in.

        The header of a definition also holds names of the scope inside: it is found by its node.
        """
        headers: dict[ast.AST | None, Statement] = {}
        readers: dict[Scope, list[Statement]] = {}
        for statement in self._statements_by_word.get(name, ()):
            if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
                continue
            if isinstance(statement.node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                headers[statement.node] = statement
            for binding in names.lookup(name, statement.scope)[:1]:
                readers.setdefault(binding.scope, []).append(statement)
        return headers, readers


def _is_prose(token: tokens.Token) -> bool:
    return token.kind == "string" and len(token.text.split()) > 1


def _lies_within(offsets: Sequence[int], start: int, end: int) -> bool:
    first = bisect_left(offsets, start)
    return first < len(offsets) and offsets[first] < end


def _says_nothing(node: ast.AST, line: int) -> bool:
    """Bare strings are documentation; a place after the end of a statement is a comment."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return isinstance(node.value.value, str)
    return bool(getattr(node, "end_lineno", line) < line)


def _is_read(piece: Piece, node: cst.Name) -> bool:
    """True for a name that is read, not one that is assigned, a keyword or an attribute."""
    parent = piece.parents.get(node)
    if isinstance(parent, (cst.ImportAlias, cst.AsName, cst.ImportFrom)):
        return False
    if isinstance(parent, cst.Attribute):
        return parent.value is node
    if isinstance(parent, (cst.Arg, cst.Param, cst.NameItem)):
        return getattr(parent, "value", getattr(parent, "default", None)) is node
    return not isinstance(parent, (cst.AssignTarget, cst.FunctionDef, cst.ClassDef))
