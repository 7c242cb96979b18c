"""A file under analysis, and what a matcher may ask and say about it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import edits, fallbacks, names, pieces, quotes, templates
from neuron_migrate.engine.imports import insertion, local_root

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.index import Index, Scope, Statement
    from neuron_migrate.engine.meaning import Meaning, Role
    from neuron_migrate.engine.names import Resolved
    from neuron_migrate.engine.pieces import Piece
    from neuron_migrate.files.lines import Lines
    from neuron_migrate.finding import Confidence, Edit, Risk, Safety, Target

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_SHORT_STRING = re.compile(r"""(?<!['"\w])(['"])[\w./:-]*\1(?!['"])""")


@dataclass(slots=True, eq=False)
class Draft:
    """A finding in the making: phases after the matchers may still take its fix away."""

    rule: Rule
    statement: Statement
    start: int
    end: int
    message: str
    risk: Risk
    confidence: Confidence
    edits: list[Edit] = field(default_factory=list)
    fix: Safety | None = None
    not_fixed: str | None = None
    advice: bool = False
    cuda_only: bool = False
    """Code that a renamed availability guard must not switch on."""
    neutral: bool = False
    """Code that runs on Neuron too, for all that is said about it: no reason to keep a guard."""
    test: tuple[Piece, cst.CSTNode] | None = None
    """The node in a condition whose meaning the fix changes: an availability test or comparison."""
    removes: Statement | None = None
    """The statement that the fix removes."""
    needs: list[Draft] = field(default_factory=list)
    """Findings whose fixes this one rests on: it goes when one of them loses its fix."""
    blocked: bool = False
    """Without a person's work there is no way to Neuron from here."""
    hidden: bool = False
    """Not selected or suppressed: never shown, never fixed."""
    withheld: Safety | None = None
    """The fix that a hidden finding would have."""


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
    ) -> None:
        self.text = text
        self._allows = allows
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
        self.flows: dict[tuple[Meaning, str, Scope], Role] = {}
        """Where names lead, as far as it was asked."""
        self._pieces: dict[Statement, list[Piece]] = {}

    @cached_property
    def quote(self) -> str:
        """The quotes that most short strings of the file are written in."""
        counts = {'"': 0, "'": 0}
        for found in _SHORT_STRING.finditer(self.text):
            counts[found.group(1)] += 1
        return "'" if counts["'"] > counts['"'] else '"'

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
        """Keep a finding; one that is not selected or is suppressed loses its fix at once."""
        if not self._allows(draft):
            draft.hidden = True
            draft.withheld, draft.fix, draft.edits = draft.fix, None, []
        self.drafts.append(draft)

    def pieces(self, statement: Statement) -> list[Piece]:
        """The parsed fragments of a statement; what libcst cannot take is noted as a problem."""
        known = self._pieces.get(statement)
        if known is not None:
            return known
        parsed: list[Piece] = []
        for start, end, prefix, suffix in pieces.fragments(statement, self.lines, self.text):
            try:
                parsed.append(pieces.parse(statement, start, end, (prefix, suffix), self.text))
            except pieces.PieceError as error:
                self.problems.append((statement, error.reason))
        self._pieces[statement] = parsed
        return parsed

    def statements_with(self, pattern: re.Pattern[str]) -> Iterator[Statement]:
        """The statements whose own text a pattern occurs in, in order, bare strings left out."""
        last: Statement | None = None
        for found in pattern.finditer(self.text):
            line, column = self.lines.byte_position(found.start())
            statement = self.index.at(line, column)
            if statement is None or statement is last:
                continue
            last = statement
            if not _says_nothing(statement.node, line):
                yield statement

    @cached_property
    def _statements_by_word(self) -> dict[str, list[Statement]]:
        """The statements that hold each identifier, in order."""
        found: dict[str, list[Statement]] = {}
        for word in _IDENTIFIER.finditer(self.text):
            line, column = self.lines.byte_position(word.start())
            statement = self.index.at(line, column)
            if statement is None or _says_nothing(statement.node, line):
                continue
            known = found.setdefault(word.group(), [])
            if not known or known[-1] is not statement:
                known.append(statement)
        return found

    def uses(self, name: str, scope: Scope) -> Iterator[tuple[Piece, cst.Name]]:
        """The reads of a name that is bound in ``scope``."""
        for statement in self._statements_by_word.get(name, ()):
            if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
                continue
            bindings = names.lookup(name, statement.scope)
            if isinstance(statement.node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                bindings = [*bindings, *names.lookup(name, scope)]
            if not any(binding.scope is scope for binding in bindings):
                continue
            for piece in self.pieces(statement):
                for node in piece.nodes:
                    if isinstance(node, cst.Name) and node.value == name and _is_read(piece, node):
                        yield piece, node


class Here:
    """What a matcher sees: one piece of a file, and the means to report on it."""

    def __init__(self, file: File, piece: Piece) -> None:
        self.file = file
        self.piece = piece

    @property
    def scope(self) -> Scope:
        """The scope the statement stands in."""
        return self.piece.statement.scope

    @property
    def target(self) -> Target:
        """The target of the run."""
        return self.file.target

    @cached_property
    def quote(self) -> str:
        """The quotes of the piece, or else of the file."""
        for node in self.piece.nodes:
            if isinstance(node, cst.SimpleString) and len(node.quote) == 1:
                return node.quote
        return self.file.quote

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node around a node."""
        return self.piece.parents.get(node)

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, innermost first."""
        return self.piece.ancestors(node)

    def is_claimed(self, node: cst.CSTNode) -> bool:
        """True when another rule already speaks about the node or something around it."""
        claimed = self.file.claimed
        return bool(claimed) and (
            node in claimed or any(outer in claimed for outer in self.ancestors(node))
        )

    def source(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self.piece.module.code_for_node(node)

    def resolve(self, node: cst.CSTNode) -> Resolved | None:
        """What a name or attribute chain stands for, if it comes from an import."""
        known = self.piece.resolved
        if node not in known:
            known[node] = self._resolve(node)
        return known[node]

    def _resolve(self, node: cst.CSTNode) -> Resolved | None:
        trail: list[str] = []
        while isinstance(node, cst.Attribute):
            trail.append(node.attr.value)
            node = node.value
        if not isinstance(node, cst.Name) or self._shadowed(node):
            return None
        found = names.resolve(node.value, self.scope)
        if found is None and node.value == "torch" and self.file.index.star_imports:
            found = names.Resolved("torch") if not names.lookup("torch", self.scope) else None
        if found is None or not trail:
            return found
        path = ".".join([found.path, *reversed(trail)])
        return names.Resolved(path, found.guarded, found.binding)

    def path(self, node: cst.CSTNode) -> str:
        """The resolved dotted path, or an empty string."""
        found = self.resolve(node)
        return found.path if found else ""

    def build(
        self,
        template: str,
        *,
        nodes: Mapping[str, cst.BaseExpression] | None = None,
        args: Sequence[cst.Arg] = (),
        quote: str | None = None,
    ) -> tuple[cst.BaseExpression, list[Edit]]:
        """A template filled in for this place, and the import edits it needs."""
        needed: list[Edit] = []

        def root(name: str) -> str:
            if name not in _IMPORTABLE:
                return name
            local = local_root(name, self.scope)
            if local is None:
                needed.append(insertion(self.file.index, self.file.text, f"import {name}"))
            return local or name

        filled = templates.build(
            template, quote=quote or self.quote, root=root, nodes=nodes, args=list(args)
        )
        return filled, needed

    def report(
        self,
        rule: Rule,
        node: cst.CSTNode,
        message: str = "",
        *,
        changes: Sequence[tuple[cst.CSTNode, cst.CSTNode]] = (),
        extra: Sequence[Edit] = (),
        safety: Safety = "safe",
        not_fixed: str | None = None,
        risk: Risk | None = None,
        confidence: Confidence | None = None,
    ) -> Draft:
        """Say something about ``node``; ``changes`` pairs nodes with what replaces them."""
        if not self.piece.faithful:
            return self._unreadable(rule)
        try:
            changes = [
                (old, quotes.fit(edits.in_parentheses_of(old, new), old, self.ancestors(old)))
                for old, new in changes
            ]
        except quotes.QuoteError:
            changes, not_fixed = (), "the f-string around it leaves no kind of quotes"
        made = [edit for old, new in changes for edit in edits.node_edits(self.piece, old, new)]
        if made and any(edits.loses_comment(old, new) for old, new in changes):
            safety, not_fixed = "unsafe", not_fixed or "the rewrite would lose a comment"
        if made and self._is_entry_for_cuda(node):
            safety, not_fixed = "unsafe", "it is the entry for CUDA in a table of devices"
        start, end = self.piece.span(node)
        draft = Draft(
            rule,
            self.piece.statement,
            start,
            end,
            " ".join(part for part in (rule.summary, message) if part),
            risk or rule.risk,
            confidence or rule.confidence,
            edits=[*made, *extra] if made else [],
            fix=safety if made else None,
            not_fixed=not_fixed,
            advice=rule.advice,
            blocked=rule.blocked,
        )
        self.file.add(draft)
        return draft

    def report_removal(
        self,
        rule: Rule,
        node: cst.CSTNode,
        message: str = "",
        *,
        safety: Safety = "safe",
    ) -> Draft:
        """Report ``node``, with a fix that removes the statement it makes up."""
        draft = self.report(rule, node, message)
        if draft.hidden:
            draft.withheld = safety
        else:
            draft.removes = self.piece.statement
            draft.fix = safety
        return draft

    def _is_entry_for_cuda(self, node: cst.CSTNode) -> bool:
        """True inside the value of ``"cuda"`` in a dict that has other vendors' keys too."""
        child = node
        for parent in self.ancestors(node):
            if isinstance(parent, cst.DictElement) and child is parent.value:
                key, owner = parent.key, self.parent(parent)
                if isinstance(key, cst.SimpleString) and key.raw_value.startswith("cuda"):
                    return isinstance(owner, cst.Dict) and _names_vendors(owner)
            child = parent
        return False

    def _unreadable(self, rule: Rule) -> Draft:
        """Note, once, that the statement cannot be edited; the finding itself stays hidden."""
        statement, piece = self.piece.statement, self.piece
        problem = (statement, "libcst does not reproduce the statement's spacing")
        if problem not in self.file.problems:
            self.file.problems.append(problem)
        draft = Draft(rule, statement, piece.start, piece.end, "", rule.risk, rule.confidence)
        draft.hidden = True
        self.file.drafts.append(draft)
        return draft

    def _shadowed(self, name: cst.Name) -> bool:
        """True when a lambda or comprehension around the name binds it."""
        for outer in self.ancestors(name):
            if isinstance(outer, cst.Lambda):
                if name.value in _parameter_names(outer.params):
                    return True
            elif isinstance(outer, cst.BaseComp):
                inner: cst.CompFor | None = outer.for_in
                while inner is not None:
                    if name.value in _target_names(inner.target):
                        return True
                    inner = inner.inner_for_in
        return False


_OTHER_KEYS = frozenset({"npu", "xpu", "hpu", "mlu", "musa", "tpu", "xla", "mtia", "mps"})
_IMPORTABLE = frozenset({"torch", "os", "transformers", "diffusers", "trl", "accelerate", "peft"})


def _parameter_names(parameters: cst.Parameters) -> set[str]:
    stars = (parameters.star_arg, parameters.star_kwarg)
    named = [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params, *stars]
    return {param.name.value for param in named if isinstance(param, cst.Param)}


def _names_vendors(table: cst.Dict) -> bool:
    keys = (element.key for element in table.elements if isinstance(element, cst.DictElement))
    return any(isinstance(key, cst.SimpleString) and key.raw_value in _OTHER_KEYS for key in keys)


def _target_names(target: cst.CSTNode) -> set[str]:
    found = {target.value} if isinstance(target, cst.Name) else set()
    for child in pieces.children(target):
        found |= _target_names(child)
    return found


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
