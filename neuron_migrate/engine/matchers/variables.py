"""Environment variables that the program sets, asks for or hands to another one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import VariableMatch
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import File, Here
    from neuron_migrate.finding import Safety

_ENVIRONMENT = re.compile(r"(^|_)(env|environ|environment|envs)($|_|\d)", re.IGNORECASE)
_READERS = frozenset({"get", "getenv", "pop", "unsetenv", "delenv"})
_DICT_METHODS = frozenset({"get", "pop", "setdefault"})
_WRITERS = frozenset({"setdefault", "putenv", "setenv"})
_INDEX = re.compile(
    r"(^|_)(gpu|gpus|device|devices|rank|id|ids|index|idx|core|cores|visible|cuda)($|_|\d)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\d+(\s*[,-]\s*\d+)*")


@dataclass(frozen=True, slots=True)
class _Site:
    """One place that names a variable."""

    name: str
    key: cst.CSTNode
    """The literal or keyword that names it."""
    value: cst.BaseExpression | None = None
    """What it is set to, or the default of a look-up."""
    sets: bool = False
    assignment: cst.Assign | None = None
    """The statement, where it is a plain assignment to one target."""


class Variables:
    """Matches rules of kind ``variable``."""

    nodes = (cst.SimpleString, cst.Arg)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, Rule] = {}
        self.native: set[str] = set()
        for rule in rules:
            assert isinstance(rule.match, VariableMatch)
            self.rules.update(dict.fromkeys(rule.match.names, rule))
            self.native |= {rule.match.to} if rule.match.to else set()
        self.known = frozenset(self.rules) | self.native
        self.renamed: list[tuple[Rule, _Site, Here]] = []
        self.given: set[tuple[str, str]] = set()
        """The native variables that the file sets, with what it sets them to."""

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a variable where it is used as one."""
        site = _keyword(node, here) if isinstance(node, cst.Arg) else _named(node, self.known, here)
        if site is None:
            return
        if site.name in self.native and site.sets and site.value is not None:
            self.given.add((site.name, here.source(site.value)))
        rule = self.rules.get(site.name)
        if rule is None:
            return
        pattern = rule.match
        assert isinstance(pattern, VariableMatch)
        if not (site.sets or pattern.reads) or not _matters(site, pattern, here):
            return
        if pattern.to is None:
            here.report(rule, site.key, f"`{site.name}`.")
        elif not any(_names(node, pattern.to) for node in here.piece.nodes):
            self.renamed.append((rule, site, here))

    def finish(self, file: File) -> None:
        """Rename what can be; a look-up only together with what the file sets."""
        sites, self.renamed = self.renamed, []
        given, self.given = self.given, set()
        for rule, site, here in sites:
            pattern = rule.match
            assert isinstance(pattern, VariableMatch)
            if site.value is not None and (pattern.to, here.source(site.value)) in given:
                continue
            doubt = _doubt(site)
            if not site.sets and any(
                other.sets and (_hides(other, pattern) or _doubt(other))
                for peer, other, _ in sites
                if peer is rule
            ):
                doubt = "what the file sets the variable to stays as it is elsewhere"
            _rename(rule, pattern, site, doubt, here)


def _matters(site: _Site, pattern: VariableMatch, here: Here) -> bool:
    if pattern.unless_imported is not None and pattern.unless_imported in here.file.roots:
        return False
    return not pattern.values or string_value(site.value) in pattern.values


def _names(node: cst.CSTNode, name: str) -> bool:
    """True for a literal or keyword that is the name."""
    if isinstance(node, cst.Arg):
        return node.keyword is not None and node.keyword.value == name
    return isinstance(node, cst.SimpleString) and string_value(node) == name


def _hides(site: _Site, pattern: VariableMatch) -> bool:
    return site.sets and string_value(site.value) in pattern.hides


def _rename(rule: Rule, pattern: VariableMatch, site: _Site, doubt: str | None, here: Here) -> None:
    if _hides(site, pattern):
        here.report(
            rule,
            site.key,
            "The value hides every GPU.",
            not_fixed=f"`{pattern.to}` has no value for no device: choose the CPU in the program",
        )
        return
    safety: Safety = "safe" if doubt is None else "unsafe"
    change = _change(pattern, site, here)
    if change is None:
        reason = "CUDA reads it under this name, and the code is to run there too"
        here.report(rule, site.key, not_fixed=reason)
        return
    here.report(rule, site.key, changes=[change], safety=safety, not_fixed=doubt)


def _change(
    pattern: VariableMatch, site: _Site, here: Here
) -> tuple[cst.CSTNode, cst.CSTNode] | None:
    """What to write; for the accelerator target both variables are set, where that is one line."""
    assert pattern.to is not None
    if here.target == "neuron":
        if isinstance(site.key, cst.SimpleString):
            return site.key, _literal(site.key, pattern.to)
        return site.key, site.key.with_changes(value=pattern.to)
    if site.assignment is None or not isinstance(site.key, cst.SimpleString):
        return None
    target = site.assignment.targets[0]
    second = target.with_deep_changes(site.key, value=_literal(site.key, pattern.to).value)
    return site.assignment, site.assignment.with_changes(targets=[target, second])


def _literal(old: cst.SimpleString, name: str) -> cst.SimpleString:
    return old.with_changes(value=f"{old.prefix}{old.quote}{name}{old.quote}")


def _doubt(site: _Site) -> str | None:
    """Why the value may be no list of indices."""
    if not site.sets or site.value is None or _is_indices(site.value):
        return None
    return "what it is set to may be no list of indices"


def _is_indices(node: cst.BaseExpression) -> bool:
    """True for a list of indices, or what by its name or making is one."""
    text = string_value(node)
    if text is not None:
        return _PLAIN.fullmatch(text.strip()) is not None
    if isinstance(node, cst.IfExp):
        return _is_indices(node.body) and _is_indices(node.orelse)
    if isinstance(node, cst.FormattedString):
        return all(_is_indices_part(part) for part in node.parts)
    if isinstance(node, cst.Call):
        name = _leaf(node.func)
        return name == "join" or (name == "str" and len(node.args) == 1)
    if isinstance(node, cst.Subscript):
        keys = [string_value(each.slice) for each in node.slice]
        return any(key and _INDEX.search(key) for key in keys)
    return bool(_INDEX.search(_leaf(node)))


def _is_indices_part(part: cst.BaseFormattedStringContent) -> bool:
    return isinstance(part, cst.FormattedStringExpression) or (
        isinstance(part, cst.FormattedStringText)
        and re.fullmatch(r"[\d,\s-]*", part.value) is not None
    )


def _named(node: cst.CSTNode, known: AbstractSet[str], here: Here) -> _Site | None:
    """The use of a variable that a string literal names."""
    assert isinstance(node, cst.SimpleString)
    name = string_value(node)
    if name is None or name not in known:
        return None
    parent = here.parent(node)
    if isinstance(parent, cst.Index):
        return _subscript(name, node, here)
    if isinstance(parent, cst.Arg):
        call = here.parent(parent)
        return _argument(name, node, parent, call, here) if isinstance(call, cst.Call) else None
    if isinstance(parent, cst.DictElement) and parent.key is node:
        handed_on = _is_environment_dict(parent, here)
        return _Site(name, node, parent.value, sets=True) if handed_on else None
    if isinstance(parent, cst.Comparison) and parent.left is node:
        others = [target.comparator for target in parent.comparisons]
        return _Site(name, node) if any(_is_environment(each, here) for each in others) else None
    return None


def _subscript(name: str, node: cst.SimpleString, here: Here) -> _Site | None:
    """``os.environ[name]``, read or set."""
    element = here.parent(here.parent(node) or node)
    whole = here.parent(element) if element is not None else None
    if not isinstance(whole, cst.Subscript) or not _is_environment(whole.value, here):
        return None
    target = here.parent(whole)
    if not isinstance(target, cst.AssignTarget):
        return _Site(name, node)
    statement = here.parent(target)
    assert isinstance(statement, cst.Assign)
    single = statement if len(statement.targets) == 1 else None
    return _Site(name, node, statement.value, sets=True, assignment=single)


def _argument(
    name: str, node: cst.SimpleString, arg: cst.Arg, call: cst.Call, here: Here
) -> _Site | None:
    """``os.getenv(name)``, ``env.setdefault(name, value)``, ``monkeypatch.setenv(name, value)``."""
    function = _leaf(call.func)
    if arg is not call.args[0] or function not in _READERS | _WRITERS:
        return None
    is_dict_method = isinstance(call.func, cst.Attribute) and function in _DICT_METHODS
    if is_dict_method and not _is_environment(call.func.value, here):  # type: ignore[attr-defined]
        return None
    value = call.args[1].value if len(call.args) > 1 else None
    return _Site(name, node, value, sets=function in _WRITERS)


def _keyword(node: cst.Arg, here: Here) -> _Site | None:
    """``dict(os.environ, NAME=value)`` and ``os.environ.update(NAME=value)``."""
    call = here.parent(node)
    if node.keyword is None or not isinstance(call, cst.Call):
        return None
    func = call.func
    if _leaf(func) == "dict" or (
        isinstance(func, cst.Attribute) and _is_environment(func.value, here)
    ):
        return _Site(node.keyword.value, node.keyword, node.value, sets=True)
    return None


def _is_environment_dict(element: cst.DictElement, here: Here) -> bool:
    """True for a dict that is an environment by its name, its place or what it starts from."""
    whole = here.parent(element)
    if not isinstance(whole, cst.Dict):
        return False
    if any(
        isinstance(each, cst.StarredDictElement) and _is_environment(each.value, here)
        for each in whole.elements
    ):
        return True
    outer = here.parent(whole)
    if isinstance(outer, cst.Arg):
        if outer.keyword is not None:
            return _ENVIRONMENT.search(outer.keyword.value) is not None
        call = here.parent(outer)
        func = call.func if isinstance(call, cst.Call) else None
        return isinstance(func, cst.Attribute) and (
            _is_environment(func.value, here)
            or any(_is_environment(arg.value, here) for arg in call.args)  # type: ignore[union-attr]
        )
    if isinstance(outer, cst.Assign):
        return any(_ENVIRONMENT.search(_leaf(each.target)) for each in outer.targets)
    return isinstance(outer, cst.AnnAssign) and bool(_ENVIRONMENT.search(_leaf(outer.target)))


def _is_environment(node: cst.BaseExpression, here: Here) -> bool:
    return here.path(node) == "os.environ" or _ENVIRONMENT.search(_leaf(node)) is not None


def _leaf(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
