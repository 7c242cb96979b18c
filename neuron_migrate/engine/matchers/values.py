"""Literal values whose place gives them a meaning: device strings, back ends, settings."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst
import msgspec

from neuron_migrate.catalog.patterns import ValueMatch
from neuron_migrate.engine import conditions, literals, names, templates
from neuron_migrate.engine.context import Here
from neuron_migrate.engine.matchers import groups
from neuron_migrate.engine.meaning import Meaning, Role, string_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import Draft, File
    from neuron_migrate.finding import Edit

_MULTI_PROCESS = re.compile(
    r"init_process_group|LOCAL_RANK|DistributedDataParallel|\bDDP\b|fully_shard|\bFSDP\b|mp\.spawn"
)


_CONSTANTS = frozenset({"True", "False", "None"})
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
        plain = {word for kind in self.kinds if not kind.pattern.wins for word in kind.words}
        for kind in self.kinds:
            kind.common = frozenset(plain) if kind.pattern.wins else frozenset()
        self.kinds_of: dict[type[cst.CSTNode], list[_Kind]] = {
            node: [kind for kind in self.kinds if kind.takes(node)] for node in self.nodes
        }
        self.followed = [kind for kind in self.kinds if kind.pattern.reach == 1]
        self.seen: set[tuple[str, cst.CSTNode]] = set()

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a literal for every rule that it means something to, or for the one that wins."""
        assert isinstance(node, cst.BaseExpression)
        if isinstance(node, cst.Name) and node.value not in _CONSTANTS:
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
        literal = kind.literal(node, here)
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
        self.values = frozenset(_key(ast.literal_eval(source)) for source in pattern.values)
        self.words = tuple(value[1] for value in self.values if isinstance(value[1], str))
        self.plain = any(kind != "str" for kind, _ in self.values)
        self.common: frozenset[str] = frozenset()
        """Words that rules speak about which do not win: theirs where a name has several uses."""
        self.meaning = Meaning(
            tuple(_function(each) for each in pattern.functions),
            frozenset(pattern.keywords),
            frozenset(pattern.words),
            frozenset(pattern.other_words),
            *(() if pattern.reach is None else (pattern.reach,)),
        )

    def takes(self, node: type[cst.CSTNode]) -> bool:
        """True when a value of this rule may be such a node."""
        if node in {cst.SimpleString, cst.FormattedString}:
            return bool(self.words) and (node is cst.SimpleString or self.pattern.indexed)
        if node is cst.Call:
            return bool(self.pattern.calls)
        return self.plain or (node is cst.Dict and self.pattern.wrapped)

    def literal(self, node: cst.BaseExpression, here: Here) -> Literal | None:
        """The node as a value of this rule, if it is one."""
        roots = here.file.certain_roots if self.pattern.certain else here.file.roots
        if self.pattern.requires and roots.isdisjoint(self.pattern.requires):
            return None
        if isinstance(node, cst.FormattedString):
            return self._formatted(node)
        if isinstance(node, cst.SimpleString):
            return self._string(node, here)
        if isinstance(node, cst.Dict) and self.pattern.wrapped:
            inner = _wrapped(node)
            if inner is not None and self.literal(inner, here) is not None:
                return Literal(node, node, "")
        if isinstance(node, cst.Call):
            return Literal(node, node, "") if self._called(node, here) else None
        return self._plain(node, here) if self.plain else None

    def _called(self, node: cst.Call, here: Here) -> bool:
        calls = self.pattern.calls
        return bool(calls) and not node.args and here.path(node.func) in calls

    def _plain(self, node: cst.BaseExpression, here: Here) -> Literal | None:
        """The node as a number, a truth value or a dict of this rule."""
        if isinstance(node, cst.Name) and node.value not in _CONSTANTS:
            return None
        if isinstance(node, (cst.Integer, cst.UnaryOperation, cst.Dict, cst.Name)):
            source = here.source(node)
            if literals.is_literal(source) and _key(literals.evaluate(source)) in self.values:
                return Literal(node, node, "")
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
        if role in {Role.UNCLEAR, Role.TEXT} or self._is_fallback(here):
            return
        if _said(role) not in self.pattern.roles:
            return
        if role is Role.REACHES and literal.word.partition(":")[0] in self.common:
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
        elif isinstance(parent := here.parent(literal.whole), cst.MatchValue):
            reason = f"a case pattern can only hold a plain literal, not {here.source(parent)}"
        else:
            new, needed = self._new_node(literal, template, here)
            changes = [(literal.whole if self.pattern.whole else literal.node, new)]
        return here.report(
            self.rule,
            literal.whole,
            self.pattern.note,
            changes=changes,
            extra=needed,
            safety=safety,
            not_fixed=reason,
        )

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

    def _new_node(
        self, literal: Literal, template: str, here: Here
    ) -> tuple[cst.BaseExpression, list[Edit]]:
        old = literal.node
        made, needed = here.build(template, quote=_inner_quote(literal, template))
        if self.pattern.whole:
            return made, needed
        if literal.part and isinstance(old, cst.SimpleString):
            return _with_part(old, literal.word, made), needed
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
    )


def _with_part(
    old: cst.SimpleString, word: str, made: cst.BaseExpression
) -> cst.SimpleString | cst.FormattedString:
    """A comma-separated string with one of its values replaced."""
    before, _, after = f",{old.raw_value},".partition(f",{word},")
    head, tail = f"{before},".lstrip(","), f",{after}".rstrip(",")
    if isinstance(made, cst.SimpleString):
        return old.with_changes(
            value=f"{old.prefix}{old.quote}{head}{made.raw_value}{tail}{old.quote}"
        )
    assert isinstance(made, cst.FormattedString)
    texts = [cst.FormattedStringText(each) for each in (head, tail)]
    parts = [each for each in (texts[0], *made.parts, texts[1]) if getattr(each, "value", "x")]
    return made.with_changes(start=f"f{old.quote}", end=old.quote, parts=parts)


def _function_text(here: Here) -> str:
    """The text of the innermost function around the piece; empty outside of functions."""
    node = here.scope.node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return ""
    lines = here.file.lines
    start = lines.byte_offset(node.lineno, node.col_offset)
    return here.file.text[start : lines.byte_offset(node.end_lineno or 0, node.end_col_offset or 0)]


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


def _inner_quote(literal: Literal, template: str) -> str | None:
    """The other quotes, where the replacement ends up inside an f-string of the old ones."""
    old = literal.node
    plain = template[:1] in {"'", '"'}
    if plain or not literal.indexed:
        return None
    if isinstance(old, cst.SimpleString):
        return "'" if '"' in old.quote else '"'
    if isinstance(old, cst.FormattedString):
        return "'" if '"' in old.start else '"'
    return None


def _function(text: str) -> tuple[str, int | str | None]:
    path, _, place = text.partition(":")
    return path, int(place) if place.isdigit() else place or None


def _wrapped(node: cst.Dict) -> cst.BaseExpression | None:
    """The value of a dict that holds it under an empty key, and nothing else."""
    only = node.elements[0] if len(node.elements) == 1 else None
    if isinstance(only, cst.DictElement) and string_value(only.key) == "":
        return only.value
    return None


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


def _key(value: object) -> tuple[str, object]:
    """A value with its type, so that 0 and False differ; containers by their source."""
    name = type(value).__name__
    return name, value if isinstance(value, (str, int)) else repr(value)
