"""What a literal stands for, judged by where it stands and where its name leads."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import conditions, names
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.here import Here

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.index import Scope

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_TEXT_CALLS = re.compile(
    r"(.*\.)?(print|debug|info|warn|warning|warning_once|error|exception|critical|log|log_info|write"
    r"|deprecate|skip|skipif|xfail|fail|write_line|echo|secho|add_text|set_description"
    r"|[A-Za-z]*(Error|Exception|Warning|Exit))"
)
_TEXT_KEYWORDS = frozenset(
    {
        "help", "msg", "message", "description", "title", "label", "reason", "prog", "usage",
        "epilog", "metadata",
    }
)  # fmt: skip
_OPTION_CALLS = frozenset(
    {"add_argument", "add_option", "Option", "Argument", "option", "argument", "Field", "field"}
)
_LOOKUPS = frozenset({"get", "pop", "setdefault", "getenv", "getattr", "setattr", "parametrize"})
_TRANSPARENT = frozenset({"str", "list", "tuple", "set", "frozenset", "cast", "sorted", "repr"})
_ADDS = frozenset({"append", "add", "insert", "extend", "remove", "index", "count"})
MAX_HOPS = 4


class Role(Enum):
    """What a value is used as."""

    PLACED = "placed"
    """Given to something that places a tensor or asks for such a value."""
    HELD = "held"
    """Kept in a name that says what it is."""
    SERVES = "serves"
    """Kept in a name that is used for nothing else."""
    REACHES = "reaches"
    """Kept in a name that is used for other things too."""
    COMPARED = "compared"
    """Compared with such a value."""
    CHOICE = "choice"
    """One of the allowed values of an option."""
    UNCLEAR = "unclear"
    TEXT = "text"
    """Part of a message, or documentation."""


_KNOWN = {Role.PLACED, Role.HELD, Role.SERVES, Role.COMPARED}


@dataclass(frozen=True, slots=True)
class Meaning:
    """The places and names that give a kind of value its meaning."""

    functions: tuple[tuple[str, int | str | None], ...]
    """Called functions, with the position or keyword that they take such a value at."""
    keywords: frozenset[str]
    words: frozenset[str]
    others: frozenset[str] = frozenset()
    """Words that make a name mean something else."""
    reach: int = MAX_HOPS
    """How many names may stand between a value and its use."""
    under_test: bool = False
    """True when what a program keeps where a device is there is such a value."""

    def role(self, node: cst.CSTNode, here: Here, hops: int = 0) -> Role:
        """The role of an expression."""
        child = node
        for parent in here.ancestors(node):
            role = self._step(child, parent, here, hops)
            if role is not None:
                return role
            child = parent
        return Role.UNCLEAR

    def says(self, node: cst.CSTNode | None, here: Here) -> bool:
        """True when an expression is, by its name, such a value."""
        if isinstance(node, cst.Name):
            return self.named(node.value)
        if isinstance(node, cst.Attribute):
            if node.attr.value in {"type", "value", "name"}:
                return self.says(node.value, here)
            return self.named(node.attr.value)
        if isinstance(node, cst.Subscript):
            keys = [string_value(element.slice) for element in node.slice]
            return any(key and self.named(key) for key in keys) or self.says(node.value, here)
        if isinstance(node, cst.Call):
            return self._call_says(node, here)
        return False

    def named(self, name: str) -> bool:
        """True when the words of an identifier, or of an option such as ``--device-map``, do."""
        name = name.lstrip("-").replace("-", "_")
        if name in self.keywords or name.lstrip("-").replace("-", "_") in self.keywords:
            return True
        words = {word.lower() for word in _WORD.findall(name)}
        return not words.isdisjoint(self.words) and words.isdisjoint(self.others)

    def takes(self, call: cst.Call, arg: cst.Arg, here: Here) -> bool:
        """True when the called function is known to take such a value in this argument."""
        method = f".{call.func.attr.value}" if isinstance(call.func, cst.Attribute) else ""
        paths = [path] if (path := here.path(call.func)) else _alternatives(call.func, here)
        place = _place(call, arg)
        return any(
            (position is None or position == place)
            and (function == method or any(fnmatchcase(path, function) for path in paths))
            for function, position in self.functions
        )

    def _step(self, child: cst.CSTNode, parent: cst.CSTNode, here: Here, hops: int) -> Role | None:
        """The role that one parent gives, or None to look further out."""
        if isinstance(parent, cst.Arg):
            call = here.parent(parent)
            return self._argument(call, parent, here, hops) if isinstance(call, cst.Call) else None
        if isinstance(parent, (cst.Comparison, cst.ComparisonTarget)):
            return self._comparison(child, parent, here)
        if isinstance(parent, cst.Assign):
            role = self._assigned([each.target for each in parent.targets], here, hops)
            return self._given(child, role, here)
        if isinstance(parent, (cst.AnnAssign, cst.NamedExpr)):
            return self._given(child, self._assigned([parent.target], here, hops), here)
        if isinstance(parent, cst.Param):
            return self._parameter(child, parent, here, hops)
        if isinstance(parent, cst.MatchValue):
            return Role.COMPARED if self._subject_says(here) else Role.UNCLEAR
        if isinstance(parent, cst.Return):
            role = Role.HELD if self._function_says(here) else Role.UNCLEAR
            return self._given(child, role, here)
        if isinstance(parent, (cst.For, cst.CompFor)):
            return Role.HELD if self.says(parent.target, here) else Role.UNCLEAR
        if isinstance(parent, cst.DictElement):
            if child is parent.key:
                return Role.UNCLEAR
            key = string_value(parent.key)
            return Role.HELD if key is not None and self.named(key) else None
        if isinstance(parent, cst.IfExp):
            if child is parent.test:
                return Role.UNCLEAR
            return Role.HELD if self._asked(here.source(parent.test)) else None
        if isinstance(parent, (cst.Raise, cst.Assert, cst.Expr)):
            return Role.TEXT
        if isinstance(parent, cst.BooleanOperation) and child is parent.right:
            return Role.HELD if self._asked(here.source(parent.left)) else None
        if isinstance(parent, (cst.BooleanOperation, cst.Element, cst.StarredElement)):
            return None
        if isinstance(parent, (cst.ListComp, cst.SetComp, cst.GeneratorExp)):
            return None
        if isinstance(parent, cst.Subscript) and child is parent.value:
            return Role.HELD if self._asked(here.source(parent)) else None
        if isinstance(parent, (cst.List, cst.Tuple)):
            return self._parallel(child, parent, here, hops)
        if isinstance(parent, (cst.Set, cst.Dict, cst.Call)):
            return None
        return Role.UNCLEAR

    def _argument(self, call: cst.Call, arg: cst.Arg, here: Here, hops: int) -> Role | None:
        name = last_name(call.func)
        if arg.keyword is not None and arg.keyword.value in _TEXT_KEYWORDS:
            return Role.TEXT
        if name in _OPTION_CALLS:
            return self._option(call, arg, here)
        registers = arg.keyword is not None and arg.keyword.value == "device_types"
        if registers or here.path(call.func).startswith("torch.library."):
            return Role.UNCLEAR  # a kernel is registered for the devices that it was written for
        if arg.keyword is not None and self.named(arg.keyword.value):
            return Role.PLACED
        if self.takes(call, arg, here):
            return Role.PLACED
        if _TEXT_CALLS.fullmatch(here.path(call.func) or name):
            return Role.TEXT
        if name in {"startswith", "endswith"} and isinstance(call.func, cst.Attribute):
            return Role.COMPARED if self.says(call.func.value, here) else Role.UNCLEAR
        if name in _LOOKUPS:
            keys = [string_value(each.value) for each in call.args if each is not arg]
            if any(key and self.named(key) for key in keys):
                return Role.HELD
            return None if _is_table_default(call, arg) else Role.UNCLEAR
        if name in _TRANSPARENT:
            return None
        if name in _ADDS and isinstance(call.func, cst.Attribute):
            return Role.HELD if self.says(call.func.value, here) else Role.UNCLEAR
        if self.named(name):
            return Role.PLACED
        return self._own_function(call, arg, here)

    def _option(self, call: cst.Call, arg: cst.Arg, here: Here) -> Role | None:
        """``add_argument("--device", default=…)`` and its kin in typer, click and dataclasses."""
        options = [string_value(each.value) for each in call.args if each.keyword is None]
        said = any(option and self.named(option) for option in options)
        keyword = arg.keyword.value if arg.keyword else ""
        if keyword in {"choices", "type"} and said:
            return Role.CHOICE
        if said and (keyword in {"default", "const"} or not keyword):
            return Role.HELD
        return None if last_name(call.func) not in {"add_argument", "add_option"} else Role.UNCLEAR

    def _own_function(self, call: cst.Call, arg: cst.Arg, here: Here) -> Role:
        """A function of the same file takes it when its parameter is named so."""
        if not isinstance(call.func, cst.Name) or arg.keyword or arg.star:
            return Role.UNCLEAR
        for binding in names.lookup(call.func.value, here.scope):
            definition = binding.statement.node
            if binding.kind == "function" and isinstance(definition, ast.FunctionDef):
                parameters = [*definition.args.posonlyargs, *definition.args.args]
                place = _position(call, arg)
                if place < len(parameters) and self.named(parameters[place].arg):
                    return Role.PLACED
        return Role.UNCLEAR

    def _comparison(self, child: cst.CSTNode, parent: cst.CSTNode, here: Here) -> Role | None:
        whole = here.parent(parent) if isinstance(parent, cst.ComparisonTarget) else parent
        if not isinstance(whole, cst.Comparison):
            return Role.UNCLEAR
        sides = [whole.left, *(target.comparator for target in whole.comparisons)]
        others = [side for side in sides if side is not child]
        return Role.COMPARED if any(self.says(side, here) for side in others) else Role.UNCLEAR

    def _assigned(
        self, targets: Sequence[cst.BaseExpression], here: Here, hops: int
    ) -> Role | None:
        if any(self.says(target, here) for target in targets):
            return Role.HELD
        for target in targets:
            if isinstance(target, (cst.Tuple, cst.List)):
                if any(self.says(element.value, here) for element in target.elements):
                    return Role.HELD
            elif isinstance(target, cst.Name):
                return self._flow(target.value, here, here.scope, hops)
        return Role.UNCLEAR

    def _given(self, child: cst.CSTNode, role: Role | None, here: Here) -> Role | None:
        """What a program keeps where a device is there is that device, whatever it is called."""
        literal = isinstance(child, (cst.SimpleString, cst.FormattedString))
        if role is not Role.UNCLEAR or not literal or not self.under_test:
            return role
        return Role.HELD if conditions.under_device_test(here, child) else role

    def _asked(self, test: str) -> bool:
        return self.under_test and conditions.asks(test)

    def _parallel(
        self, item: cst.CSTNode, values: cst.List | cst.Tuple, here: Here, hops: int
    ) -> Role | None:
        """In ``a, device = 1, "cuda"`` each value goes to the name at its own place."""
        outer = here.parent(values)
        if not isinstance(outer, cst.Assign):
            return None
        place = next(index for index, each in enumerate(values.elements) if each is item)
        parts = [
            each.target.elements[place].value
            for each in outer.targets
            if isinstance(each.target, (cst.List, cst.Tuple))
            and len(each.target.elements) == len(values.elements)
            and not any(isinstance(part, cst.StarredElement) for part in each.target.elements)
        ]
        return self._assigned(parts, here, hops) if parts else None

    def _parameter(
        self, child: cst.CSTNode, parent: cst.Param, here: Here, hops: int
    ) -> Role | None:
        if child is not parent.default:
            return Role.UNCLEAR
        if self.named(parent.name.value):
            return Role.HELD
        inner = _inner_scope(here, parent.name.value)
        return self._flow(parent.name.value, here, inner, hops) if inner else Role.UNCLEAR

    def _flow(self, name: str, here: Here, scope: Scope, hops: int) -> Role:
        """Where a name with no telling name of its own ends up in this file."""
        bindings = scope.bindings.get(name) or names.lookup(name, scope)
        if hops >= self.reach or not bindings:
            return Role.UNCLEAR
        key = (self, name, bindings[0].scope)
        if key not in here.file.flows:
            here.file.flows[key] = Role.UNCLEAR  # a name that leads back to itself says nothing
            here.file.flows[key] = self._reached(name, here, bindings[0].scope, hops)
        return here.file.flows[key]

    def _reached(self, name: str, here: Here, scope: Scope, hops: int) -> Role:
        uses = here.file.uses(name, scope)
        roles = {self.role(use, Here(here.file, piece), hops + 1) for piece, use in uses}
        if roles.isdisjoint(_KNOWN | {Role.REACHES}):
            return Role.UNCLEAR
        return Role.SERVES if roles <= _KNOWN else Role.REACHES

    def _subject_says(self, here: Here) -> bool:
        """True when what a ``case`` is held against is such a value, by its name."""
        match = here.piece.statement.parent
        if match is None or not isinstance(match.node, ast.Match):
            return False
        subject = match.node.subject
        name = getattr(subject, "id", getattr(subject, "attr", ""))
        owner = getattr(subject, "value", None)
        return self.named(name) or (name == "type" and self.named(getattr(owner, "attr", "")))

    def _function_says(self, here: Here) -> bool:
        for outer in here.piece.statement.ancestors():
            if isinstance(outer.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                returns = outer.node.returns
                annotation = ast.unparse(returns) if returns is not None else ""
                return self.named(outer.node.name) or self.named(annotation)
        return False

    def _call_says(self, call: cst.Call, here: Here) -> bool:
        name = last_name(call.func)
        if name in _TRANSPARENT or name in {"getattr", "get", "getenv"}:
            keys = [string_value(arg.value) for arg in call.args]
            if any(key and self.named(key) for key in keys):
                return True
            return bool(call.args) and self.says(call.args[0].value, here)
        if name in {"lower", "strip", "split", "upper"} and isinstance(call.func, cst.Attribute):
            return self.says(call.func.value, here)
        path = here.path(call.func)
        if path and any(path == function for function, _ in self.functions):
            return True
        return self.named(name)


def string_value(node: cst.CSTNode | None) -> str | None:
    """The text of a plain string literal."""
    if isinstance(node, cst.Index):
        node = node.value
    if isinstance(node, cst.SimpleString) and "b" not in node.prefix.lower():
        value = node.evaluated_value
        return value if isinstance(value, str) else None
    return None


def _is_table_default(call: cst.Call, arg: cst.Arg) -> bool:
    """True for what ``{…}.get(key, default)`` gives when the key is not in the table."""
    func = call.func
    return (
        isinstance(func, cst.Attribute)
        and isinstance(func.value, cst.Dict)
        and arg is not call.args[0]
    )


def _alternatives(func: cst.BaseExpression, here: Here) -> list[str]:
    """What a name may stand for that was given ``autocast if mixed else nullcontext``."""
    found: list[str] = []
    if isinstance(func, cst.Name):
        for binding in names.lookup(func.value, here.scope):
            if binding.kind == "assign" and isinstance(binding.value, ast.IfExp):
                for branch in (binding.value.body, binding.value.orelse):
                    path = names.resolve_expression(branch, binding.scope)
                    found += [path] if path else []
    return found


def _position(call: cst.Call, arg: cst.Arg) -> int:
    return next(index for index, each in enumerate(call.args) if each is arg)


def _place(call: cst.Call, arg: cst.Arg) -> int | str | None:
    """Where an argument stands: its keyword or its position."""
    if arg.keyword is not None:
        return arg.keyword.value
    return None if arg.star else _position(call, arg)


def _inner_scope(here: Here, name: str) -> Scope | None:
    """The scope of the function whose header this is."""
    node = here.piece.statement.node
    for statement in here.file.index.statements:
        if statement.scope.node is node:
            scope = statement.scope
            return scope if name in scope.bindings else None
    return None
