"""Literal values whose place gives them a meaning: device strings, back ends, settings."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import ValueMatch
from neuron_migrate.engine import conditions, templates
from neuron_migrate.engine.matchers import groups
from neuron_migrate.engine.meaning import Meaning, Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import Draft, File, Here
    from neuron_migrate.finding import Edit

_MULTI_PROCESS = re.compile(
    r"init_process_group|LOCAL_RANK|DistributedDataParallel|\bDDP\b|fully_shard|\bFSDP\b|mp\.spawn"
)


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


class Values:
    """Matches rules of kind ``value``."""

    nodes = (
        cst.SimpleString,
        cst.FormattedString,
        cst.Integer,
        cst.UnaryOperation,
        cst.Dict,
        cst.Name,
    )

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.kinds = [_Kind(rule) for rule in rules]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a literal for the first rule that it means something to."""
        assert isinstance(node, cst.BaseExpression)
        roles: dict[Meaning, Role] = {}
        for kind in self.kinds:
            literal = kind.literal(node, here)
            if literal is not None:
                kind.report(literal, here, roles)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


class _Kind:
    """One rule of the kind, ready to match."""

    def __init__(self, rule: Rule) -> None:
        assert isinstance(rule.match, ValueMatch)
        self.rule = rule
        self.pattern = rule.match
        self.values = frozenset(_key(ast.literal_eval(source)) for source in rule.match.values)
        self.words = tuple(value[1] for value in self.values if isinstance(value[1], str))
        self.meaning = Meaning(
            tuple(_function(each) for each in rule.match.functions),
            frozenset(rule.match.keywords),
            frozenset(rule.match.words),
        )

    def literal(self, node: cst.BaseExpression, here: Here) -> Literal | None:
        """The node as a value of this rule, if it is one."""
        if self.pattern.requires and not here.file.roots.intersection(self.pattern.requires):
            return None
        if isinstance(node, cst.FormattedString):
            return self._formatted(node)
        if isinstance(node, cst.SimpleString):
            return self._string(node, here)
        if isinstance(node, (cst.Integer, cst.UnaryOperation, cst.Dict, cst.Name)):
            try:
                value = ast.literal_eval(here.source(node))
            except (ValueError, SyntaxError, TypeError):
                return None
            return Literal(node, node, "") if _key(value) in self.values else None
        return None

    def report(self, literal: Literal, here: Here, roles: dict[Meaning, Role]) -> None:
        """Report the literal if it stands for something here."""
        role = roles.get(self.meaning)
        if role is None:
            role = roles[self.meaning] = self.meaning.role(literal.whole, here)
        if self.pattern.when == "elsewhere":
            if role is Role.UNCLEAR:
                self._report_unclear(literal, here)
            return
        if role in {Role.UNCLEAR, Role.TEXT}:
            return
        if self.pattern.when == "multi-process":
            if literal.indexed and _MULTI_PROCESS.search(here.file.text):
                here.report(self.rule, literal.whole, self.pattern.note)
            return
        group = groups.around(literal.node, here)
        if group is not None and (role is Role.CHOICE or group.is_ladder(literal.word)):
            self._extend(group, literal, here)
        elif role is Role.CHOICE:
            return
        else:
            self._rewrite(literal, role, here)

    def _rewrite(self, literal: Literal, role: Role, here: Here) -> None:
        draft = self._replace(literal, role, here)
        if role is Role.COMPARED:
            draft.test = (here.piece, literal.whole)

    def _replace(self, literal: Literal, role: Role, here: Here) -> Draft:
        """Report the literal with what it becomes in its role."""
        template = self._template(role, literal, here)
        changes: list[tuple[cst.CSTNode, cst.CSTNode]] = []
        needed: list[Edit] = []
        reason = None
        if template is None:
            reason = "there is no one value to put in its place"
        elif isinstance(parent := here.parent(literal.whole), cst.MatchValue):
            reason = f"a case pattern can only hold a plain literal, not {here.source(parent)}"
        else:
            new, needed = self._new_node(literal, template, here)
            changes = [(literal.node, new)]
        return here.report(
            self.rule,
            literal.whole,
            self.pattern.note,
            changes=changes,
            extra=needed,
            safety=self.pattern.safety,
            not_fixed=reason,
        )

    def _template(self, role: Role, literal: Literal, here: Here) -> str | None:
        pattern = self.pattern
        if here.target == "neuron":
            return pattern.neuron
        if role is Role.COMPARED and pattern.accelerator_compared is not None:
            return pattern.accelerator_compared
        if pattern.accelerator_value is not None and not (
            role is Role.PLACED or conditions.under_device_test(here, literal.whole)
        ):
            return pattern.accelerator_value
        return pattern.accelerator

    def _new_node(
        self, literal: Literal, template: str, here: Here
    ) -> tuple[cst.BaseExpression, list[Edit]]:
        old = literal.node
        made, needed = here.build(template)
        plain = isinstance(made, cst.SimpleString)
        if isinstance(old, cst.SimpleString):
            rest = old.raw_value.removeprefix(literal.word)
            if isinstance(made, cst.SimpleString):
                text = f"{old.prefix}{old.quote}{made.raw_value}{rest}{old.quote}"
                return old.with_changes(value=text), needed
            if not rest:
                return templates.parenthesize_for(made, old, here.parent(old)), needed
            escaped = rest.replace("{", "{{").replace("}", "}}")
            text = f"f{old.quote}{{{here.source(made)}}}{escaped}{old.quote}"
            return cst.parse_expression(text), needed
        if isinstance(old, cst.FormattedString):
            first = old.parts[0]
            assert isinstance(first, cst.FormattedStringText)
            rest = first.value.removeprefix(literal.word)
            if isinstance(made, cst.SimpleString):
                start = first.with_changes(value=made.raw_value + rest)
                return old.with_changes(parts=[start, *old.parts[1:]]), needed
            parts = [cst.FormattedStringExpression(made), first.with_changes(value=rest)]
            return old.with_changes(parts=[*parts, *old.parts[1:]]), needed
        del plain
        return templates.parenthesize_for(made, old, here.parent(old)), needed

    def _extend(self, group: groups.Group, literal: Literal, here: Here) -> None:
        """Add a member beside the CUDA one instead of renaming it."""
        name = ast.literal_eval(self.pattern.neuron or "''")
        if group.has(name):
            return
        new = group.extended(literal.node, literal.word, name)
        here.report(
            self.rule,
            literal.whole,
            f"The list already names several kinds: `{name}` is added, nothing is renamed.",
            changes=[(group.node, new)] if new is not None else (),
            not_fixed=None if new is not None else "its entry holds more than a literal to copy",
        )

    def _report_unclear(self, literal: Literal, here: Here) -> None:
        if self.pattern.neuron is None or here.target != "neuron":
            here.report(self.rule, literal.whole, not_fixed="nothing here says what it stands for")
            return
        new, needed = self._new_node(literal, self.pattern.neuron, here)
        here.report(
            self.rule,
            literal.whole,
            changes=[(literal.node, new)],
            extra=needed,
            safety="unsafe",
            not_fixed="nothing here says what it stands for",
        )

    def _string(self, node: cst.SimpleString, here: Here) -> Literal | None:
        if "b" in node.prefix.lower():
            return None
        text = node.raw_value
        if ("str", text) in self.values:
            return Literal(node, node, text)
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


def _function(text: str) -> tuple[str, int | None]:
    path, _, position = text.partition(":")
    return path, int(position) if position else None


def _key(value: object) -> tuple[str, object]:
    """A value with its type, so that 0 and False differ; containers by their source."""
    name = type(value).__name__
    return name, value if isinstance(value, (str, int)) else repr(value)
