"""Chains of conditions that already name several vendors: extended by a person, never renamed."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import LadderMatch
from neuron_migrate.engine.draft import Draft
from neuron_migrate.engine.pieces import extent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import libcst as cst

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Statement

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


class Ladders:
    """Matches rules of kind ``ladder``; it runs after every other matcher."""

    nodes: tuple[type[cst.CSTNode], ...] = ()

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = list(rules)

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """A ladder shows only in the statements around the findings."""

    def finish(self, file: File) -> None:
        """Replace the findings inside each ladder by one about the ladder."""
        for rule in self.rules:
            assert isinstance(rule.match, LadderMatch)
            _Ladder(rule, rule.match, file).report()


class _Ladder:
    def __init__(self, rule: Rule, pattern: LadderMatch, file: File) -> None:
        self.rule = rule
        self.file = file
        self.needed = pattern.needed
        self.vendors = re.compile(rf"(?<![a-z])(?:{'|'.join(pattern.vendors)})(?![a-z])")
        self.known: dict[Statement, str] = {}
        self.firsts: dict[Statement, Statement] = {}

    def report(self) -> None:
        text = self.file.text
        if "neuron" not in text and len(set(self.vendors.findall(text))) < self.needed:
            return
        drafts = self.file.drafts
        inside: dict[Statement, list[Draft]] = {}
        for draft in drafts:
            ladder = None if draft.extends else self._ladder_of(draft.statement)
            if ladder is not None:
                inside.setdefault(ladder, []).append(draft)
        gone = {id(draft) for group in inside.values() for draft in group}
        self.file.drafts = [draft for draft in drafts if id(draft) not in gone]
        for first in inside:
            tests = self._tests(first)
            if "neuron" not in tests:
                self._add(first, sorted(set(self.vendors.findall(tests))))

    def _add(self, first: Statement, vendors: list[str]) -> None:
        start = self.file.lines.byte_offset(*first.start)
        self.file.add(
            Draft(
                self.rule,
                first,
                start,
                start + 2,
                f"{self.rule.summary} It names {', '.join(vendors)} beside cuda.",
                self.rule.risk,
                self.rule.confidence,
                not_fixed="what a neuron branch has to do is for a person to say",
            )
        )

    def _ladder_of(self, statement: Statement) -> Statement | None:
        """The ladder whose CUDA part a statement belongs to."""
        inner = statement
        for outer in [statement, *statement.ancestors()]:
            if isinstance(outer.node, ast.If):
                first = self._first(outer)
                if self._is_ladder(first) and self._is_cuda_part(inner, outer, first):
                    return first
            inner = outer
        return self._fallthrough(statement)

    def _fallthrough(self, statement: Statement) -> Statement | None:
        """The plain statement after ``if npu: return … if xpu: return …`` is the CUDA case."""
        outer: Statement | None = statement
        while outer is not None and not isinstance(outer.node, ast.If):
            before = _previous(outer)
            if before is not None and _leaves(before):
                first = self._first(before)
                if self._is_ladder(first) and "cuda" not in self._tests(first):
                    return first
            if isinstance(outer.node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                return None
            outer = outer.parent
        return None

    def _is_ladder(self, first: Statement) -> bool:
        tests = self._tests(first)
        if "neuron" in tests and "cuda" in tests:
            return True  # it has a branch for each already
        return len(set(self.vendors.findall(tests))) >= self.needed

    def _is_cuda_part(self, inner: Statement, outer: Statement, first: Statement) -> bool:
        """True for the tests of a ladder, its branches, and the rest when no branch is cuda's."""
        if inner is outer or inner.block == "body":
            return True
        return "cuda" not in self._tests(first)

    def _first(self, statement: Statement) -> Statement:
        """The ``if`` a chain starts with: up the elifs, and back over every ``if …: return``."""
        passed: list[Statement] = []
        while statement not in self.firsts:
            passed.append(statement)
            before = _elif_of(statement) or _previous(statement)
            if before is None or not (before is statement.parent or _leaves(before)):
                self.firsts[statement] = statement
            else:
                statement = before
        first = self.firsts[statement]
        self.firsts.update(dict.fromkeys(passed, first))
        return first

    def _tests(self, first: Statement) -> str:
        if first not in self.known:
            self.known[first] = " ".join(self._test(node) for node in _chain(first))
        return self.known[first]

    def _test(self, node: ast.If) -> str:
        start, end = extent(node.test, self.file.lines)
        return self.file.text[start:end]


def _chain(first: Statement) -> Iterator[ast.If]:
    """The conditions of a ladder: its elifs, and the ``if …: return`` that follow."""
    siblings = list(first.siblings)
    place = next(index for index, each in enumerate(siblings) if each is first)
    for statement in siblings[place:]:
        if not isinstance(statement.node, ast.If):
            return
        yield from _elifs(statement.node)
        if not _leaves(statement):
            return


def _elifs(node: ast.stmt) -> Iterator[ast.If]:
    while isinstance(node, ast.If):
        yield node
        if len(node.orelse) != 1:
            return
        node = node.orelse[0]


def _elif_of(statement: Statement) -> Statement | None:
    """The ``if`` that a statement is an ``elif`` of."""
    parent = statement.parent
    if statement.block != "orelse" or parent is None or not isinstance(parent.node, ast.If):
        return None
    return parent if len(statement.siblings) == 1 else None


def _leaves(statement: Statement) -> bool:
    node = statement.node
    return isinstance(node, ast.If) and isinstance(node.body[-1], _LEAVES)


def _previous(statement: Statement) -> Statement | None:
    siblings: Sequence[Statement] = statement.siblings
    place = next(index for index, each in enumerate(siblings) if each is statement)
    return siblings[place - 1] if place else None
