"""Literal values whose place gives them a meaning: device strings, back ends, settings."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

import libcst as cst
import msgspec

from neuron_migrate.catalog.patterns import ValueMatch
from neuron_migrate.engine import conditions, names
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.matchers.values import groups
from neuron_migrate.engine.matchers.values.literals import CONSTANTS, Wanted
from neuron_migrate.engine.matchers.values.replacement import replaced
from neuron_migrate.engine.meaning import MAX_HOPS, Meaning, Role
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.matchers.values.literals import Literal
    from neuron_migrate.finding import Edit, Safety

_MULTI_PROCESS = re.compile(
    r"init_process_group|LOCAL_RANK|DistributedDataParallel|\bDDP\b|fully_shard|\bFSDP\b|mp\.spawn"
)


_OTHER_USES = (
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.AssignTarget,
    cst.Annotation,
    cst.FunctionDef,
    cst.ClassDef,
    cst.ImportAlias,
    cst.ImportFrom,
    cst.AsName,
    cst.BinaryOperation,
    cst.UnaryOperation,
)


class Values:
    """Matches rules of kind ``value``."""

    nodes = (
        cst.SimpleString,
        cst.FormattedString,
        cst.Integer,
        cst.UnaryOperation,
        cst.Dict,
        cst.Name,
        cst.Call,
    )

    def __init__(self, rules: Iterable[Rule]) -> None:
        by_code = {rule.code: rule for rule in rules}
        kinds = [_Kind(rule, _places(rule, by_code)) for rule in by_code.values()]
        self.kinds = sorted(kinds, key=lambda kind: not kind.pattern.wins)
        plain = {word for kind in self.kinds if not kind.pattern.wins for word in kind.wanted.words}
        for kind in self.kinds:
            kind.common = frozenset(plain) if kind.pattern.wins else frozenset()
        self.kinds_of: dict[type[cst.CSTNode], list[_Kind]] = {
            node: [kind for kind in self.kinds if kind.wanted.takes(node)] for node in self.nodes
        }
        self.followed = [kind for kind in self.kinds if kind.pattern.reach == 1]
        self.seen: set[tuple[str, cst.CSTNode]] = set()

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a literal for every rule that it means something to, or for the one that wins."""
        assert isinstance(node, cst.BaseExpression)
        if isinstance(node, cst.Name) and node.value not in CONSTANTS:
            if _is_passed_on(node, here):
                for kind in self.followed:
                    self._follow(kind, node, here)
            return
        roles: dict[Meaning, Role] = {}
        for kind in self.kinds_of[type(node)]:
            self._look(kind, node, here, roles)

    def finish(self, file: File) -> None:
        """Forget the file."""
        self.seen.clear()

    def _look(
        self, kind: _Kind, node: cst.BaseExpression, here: Here, roles: dict[Meaning, Role]
    ) -> None:
        """Report a node under one rule, once."""
        literal = kind.wanted.find(node, here)
        if literal is None or here.is_claimed(node) or (kind.rule.code, node) in self.seen:
            return
        self.seen.add((kind.rule.code, node))
        before = len(here.file.drafts)
        kind.report(literal, here, roles)
        if kind.pattern.wins and len(here.file.drafts) > before:
            here.file.claimed.add(literal.whole)

    def _follow(self, kind: _Kind, name: cst.Name, here: Here) -> None:
        """Look at what a name was given that stands where the rule's values do."""
        if kind.meaning.role(name, here, kind.meaning.reach) in {Role.UNCLEAR, Role.TEXT}:
            return
        for binding in names.lookup(name.value, here.scope):
            if binding.kind not in {"assign", "parameter"}:
                continue
            for piece in here.file.pieces(binding.statement):
                there = Here(here.file, piece)
                for node in piece.nodes:
                    if isinstance(node, cst.BaseExpression):
                        self._look(kind, node, there, {})


class _Kind:
    """One rule of the kind, ready to match."""

    def __init__(self, rule: Rule, pattern: ValueMatch) -> None:
        self.rule = rule
        self.pattern = pattern
        self.wanted = Wanted(pattern)
        self.common: frozenset[str] = frozenset()
        """Words that rules speak about which do not win: theirs where a name has several uses."""
        self.meaning = Meaning(
            tuple(_function(each) for each in pattern.functions),
            frozenset(pattern.keywords),
            frozenset(pattern.words),
            frozenset(pattern.other_words),
            reach=MAX_HOPS if pattern.reach is None else pattern.reach,
            under_test=pattern.under_test,
        )

    def report(self, literal: Literal, here: Here, roles: dict[Meaning, Role]) -> None:
        """Report the literal if it stands for something here."""
        role = roles.get(self.meaning)
        if role is None:
            role = roles[self.meaning] = self.meaning.role(literal.whole, here)
        if self.pattern.when == "elsewhere":
            if role is Role.UNCLEAR:
                self._report_unclear(literal, here)
            return
        if role in {Role.UNCLEAR, Role.TEXT} or self._is_fallback(here):
            return
        if _said(role) not in self.pattern.roles:
            return
        if isinstance(literal.node, cst.Integer) and _is_one_of_many(literal.node, here):
            return
        if role is Role.REACHES and literal.word.partition(":")[0] in self.common:
            return
        if self.pattern.when == "multi-process":
            if literal.indexed and _is_multi_process(here.file.text):
                here.report(self.rule, literal.whole, self.pattern.note)
            return
        group = groups.around(literal.node, here)
        if group is not None and (role is Role.CHOICE or group.is_ladder(literal.word)):
            self._extend(group, literal, here)
        elif role is Role.CHOICE:
            return
        else:
            self._rewrite(literal, role, here)

    def _is_fallback(self, here: Here) -> bool:
        """True when the function looks the value up, and the literal is only the last resort."""
        words = self.pattern.unless_beside
        if not words:
            return False
        text = _function_text(here)
        return any(word in text for word in words)

    def _rewrite(self, literal: Literal, role: Role, here: Here) -> None:
        draft = self._replace(literal, role, here)
        if role is Role.COMPARED:
            draft.test = (here.piece, literal.whole)
            if draft.risk is Risk.BREAKS:
                draft.risk = Risk.WRONG  # a comparison raises nothing: it is silently false

    def _replace(self, literal: Literal, role: Role, here: Here) -> Draft:
        """Report the literal with what it becomes in its role."""
        template = self._template(role, literal, here)
        changes: list[tuple[cst.CSTNode, cst.CSTNode]] = []
        needed: list[Edit] = []
        safety = self.pattern.safety
        reason = self._shared_doubt(literal, role, here) or self._doubt(here)
        if reason is not None:
            safety = "unsafe"
        if template is None:
            reason = self.rule.not_fixed or "there is no one value to put in its place"
        elif here.target == "accelerator" and isinstance(
            here.parent(literal.whole), cst.MatchValue
        ):
            reason = "a case pattern can only hold a plain literal"
        else:
            new, needed = replaced(literal, template, here, whole=self.pattern.whole)
            changes = [(literal.whole if self.pattern.whole else literal.node, new)]
        draft = here.report(
            self.rule,
            literal.whole,
            self.pattern.note,
            changes=changes,
            extra=needed,
            safety=safety,
            not_fixed=reason,
        )
        draft.argument_of = _cuda_call(literal, here)
        return draft

    def _shared_doubt(self, literal: Literal, role: Role, here: Here) -> str | None:
        """Why a value may not give way to one of another kind here, or None where it may."""
        number = isinstance(literal.node, (cst.Integer, cst.UnaryOperation))
        if role is Role.REACHES and (number or self.pattern.wins):
            return "the value may mean something else where its name is used"
        return _number_doubt(literal.node, here) if number else None

    def _doubt(self, here: Here) -> str | None:
        doubt = self.pattern.doubt
        if doubt is None or re.search(doubt, here.file.text) is None:
            return None
        return "other code of the file may rule it out"

    def _template(self, role: Role, literal: Literal, here: Here) -> str | None:
        pattern = self.pattern
        if here.target == "neuron":
            return pattern.neuron
        if role is Role.COMPARED and pattern.accelerator_compared is not None:
            return pattern.accelerator_compared
        if pattern.accelerator_value is not None and not (
            (role is Role.PLACED and self._is_used_at_once(literal, here))
            or conditions.under_device_test(here, literal.whole)
        ):
            return pattern.accelerator_value
        return pattern.accelerator

    def _is_used_at_once(self, literal: Literal, here: Here) -> bool:
        """False where a call may only keep the value, on a machine without an accelerator too."""
        outers = list(here.ancestors(literal.whole))
        calls = [outer for outer in outers if isinstance(outer, cst.Call)]
        if any(isinstance(outer, cst.Decorator) for outer in outers):
            return False
        if any(here.path(call.func) in self.pattern.lenient for call in calls):
            return False
        if self.pattern.placed_by == "any":
            return True
        arg = next((outer for outer in outers if isinstance(outer, cst.Arg)), None)
        return arg is not None and bool(calls) and self.meaning.takes(calls[0], arg, here)

    def _extend(
        self, group: groups.Group, literal: Literal, here: Here, safety: Safety = "safe"
    ) -> None:
        """Add a member beside the CUDA one instead of renaming it."""
        name = ast.literal_eval(self.pattern.neuron or "''")
        if group.has(name):
            return
        new = group.extended(literal.node, literal.word, name)
        draft = here.report(
            self.rule,
            literal.whole,
            f"The list already names several kinds: `{name}` is added, nothing is renamed.",
            changes=[(group.node, new)] if new is not None else (),
            safety=safety,
            not_fixed=None if new is not None else "its entry holds more than a literal to copy",
        )
        draft.extends = new is not None

    def _report_unclear(self, literal: Literal, here: Here) -> None:
        group = groups.around(literal.node, here)
        if group is not None and group.is_ladder(literal.word):
            self._extend(group, literal, here, "unsafe")
            return
        if self.pattern.neuron is None or here.target != "neuron":
            draft = here.report(
                self.rule, literal.whole, not_fixed="nothing here says what it stands for"
            )
            draft.unclear = not _is_key(literal.whole, here)
            return
        new, needed = replaced(literal, self.pattern.neuron, here, whole=self.pattern.whole)
        draft = here.report(
            self.rule,
            literal.whole,
            changes=[(literal.node, new)],
            extra=needed,
            safety="unsafe",
            not_fixed="nothing here says what it stands for",
        )
        draft.unclear = not _is_key(literal.whole, here)


@lru_cache(maxsize=2)
def _is_multi_process(text: str) -> bool:
    return _MULTI_PROCESS.search(text) is not None


def _places(rule: Rule, by_code: Mapping[str, Rule]) -> ValueMatch:
    """The pattern of a rule, with the values and places of the rule it refers to."""
    pattern = rule.match
    assert isinstance(pattern, ValueMatch)
    if pattern.of is None:
        return pattern
    base = by_code[pattern.of].match
    assert isinstance(base, ValueMatch)
    return msgspec.structs.replace(
        pattern,
        values=pattern.values or base.values,
        indexed=base.indexed,
        parts=base.parts,
        functions=pattern.functions or base.functions,
        keywords=pattern.keywords or base.keywords,
        words=pattern.words or base.words,
        other_words=pattern.other_words or base.other_words,
        under_test=base.under_test,
    )


def _function_text(here: Here) -> str:
    """The text of the innermost function around the piece; empty outside of functions."""
    node = here.scope.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    lines = here.file.lines
    start = lines.byte_offset(node.lineno, node.col_offset)
    return here.file.text[start : lines.byte_offset(node.end_lineno or 0, node.end_col_offset or 0)]


def _function(text: str) -> tuple[str, int | str | None]:
    path, _, place = text.partition(":")
    return path, int(place) if place.isdigit() else place or None


def _is_key(node: cst.CSTNode, here: Here) -> bool:
    """True for the key of a dict, or of a look-up in one."""
    parent = here.parent(node)
    if isinstance(parent, cst.DictElement):
        return parent.key is node
    return isinstance(parent, (cst.Index, cst.SubscriptElement))


def _cuda_call(literal: Literal, here: Here) -> int | None:
    """Where the name stands of the torch.cuda function that the literal is given to."""
    for parent in here.ancestors(literal.whole):
        if isinstance(parent, cst.Call) and here.path(parent.func).startswith("torch.cuda."):
            return here.piece.span(parent.func)[0]
    return None


def _is_one_of_many(node: cst.CSTNode, here: Here) -> bool:
    """True for a number beside another one, in a table or a choice: a device among several."""
    parent = here.parent(node)
    others: list[cst.CSTNode] = []
    if isinstance(parent, cst.IfExp):
        others = [parent.body, parent.orelse]
    elif isinstance(parent, cst.DictElement) and isinstance(table := here.parent(parent), cst.Dict):
        others = [element.value for element in table.elements]
    return any(isinstance(other, cst.Integer) and other is not node for other in others)


def _is_passed_on(name: cst.Name, here: Here) -> bool:
    """True for a name whose value goes somewhere as it is."""
    parent = here.parent(name)
    if isinstance(parent, cst.Arg):
        return parent.value is name
    return not isinstance(parent, _OTHER_USES)


def _said(role: Role) -> str:
    """The role in the words of a rule."""
    return str((Role.HELD if role in {Role.SERVES, Role.REACHES} else role).value)


def _number_doubt(node: cst.CSTNode, here: Here) -> str | None:
    for outer in here.ancestors(node):
        if isinstance(outer, cst.AnnAssign) or (isinstance(outer, cst.Param) and outer.annotation):
            return "its name is annotated as a number"
    return None
