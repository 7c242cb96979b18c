"""Environment variables that the program sets, asks for or hands to another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import VariableMatch
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.draft import tie
from neuron_migrate.engine.matchers.variables.sites import Site, keyword, named
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Safety

_INDEX = re.compile(
    r"(^|_)(gpu|gpus|device|devices|rank|id|ids|index|idx|core|cores|visible|cuda)($|_|\d)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\d+(\s*[,-]\s*\d+)*")


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
        self.renamed: list[tuple[Rule, Site, Here]] = []
        self.given: set[tuple[str, str]] = set()
        """The native variables that the file sets, with what it sets them to."""

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a variable where it is used as one."""
        site = keyword(node, here) if isinstance(node, cst.Arg) else named(node, self.known, here)
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
        drafts: dict[str, list[Draft]] = {}
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
            draft = _rename(rule, pattern, site, doubt, here)
            drafts.setdefault(rule.code, []).append(draft)
        for renamed in drafts.values():  # what is set under one name is asked for under it
            tie(*renamed)


def _matters(site: Site, pattern: VariableMatch, here: Here) -> bool:
    if pattern.unless_imported is not None and pattern.unless_imported in here.file.roots:
        return False
    return not pattern.values or string_value(site.value) in pattern.values


def _names(node: cst.CSTNode, name: str) -> bool:
    """True for a literal or keyword that is the name."""
    if isinstance(node, cst.Arg):
        return node.keyword is not None and node.keyword.value == name
    return isinstance(node, cst.SimpleString) and string_value(node) == name


def _hides(site: Site, pattern: VariableMatch) -> bool:
    return site.sets and string_value(site.value) in pattern.hides


def _rename(rule: Rule, pattern: VariableMatch, site: Site, doubt: str | None, here: Here) -> Draft:
    if _hides(site, pattern):
        return here.report(
            rule,
            site.key,
            "The value hides every GPU.",
            not_fixed=f"`{pattern.to}` has no value for no device: choose the CPU in the program",
        )
    safety: Safety = "safe" if doubt is None else "unsafe"
    change = _change(pattern, site, here)
    if change is None:
        reason = "CUDA reads it under this name, and the code is to run there too"
        return here.report(rule, site.key, not_fixed=reason)
    return here.report(rule, site.key, changes=[change], safety=safety, not_fixed=doubt)


def _change(
    pattern: VariableMatch, site: Site, here: Here
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


def _doubt(site: Site) -> str | None:
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
        name = last_name(node.func)
        return name == "join" or (name == "str" and len(node.args) == 1)
    if isinstance(node, cst.Subscript):
        keys = [string_value(each.slice) for each in node.slice]
        return any(key and _INDEX.search(key) for key in keys)
    return bool(_INDEX.search(last_name(node)))


def _is_indices_part(part: cst.BaseFormattedStringContent) -> bool:
    return isinstance(part, cst.FormattedStringExpression) or (
        isinstance(part, cst.FormattedStringText)
        and re.fullmatch(r"[\d,\s-]*", part.value) is not None
    )
