"""Methods of subclasses that cannot take what their base class calls them with."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import OverrideMatch
from neuron_migrate.engine import inheritance

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.patterns import Overridden
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Overrides:
    """Matches rules of kind ``override``."""

    nodes = (cst.FunctionDef,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.known: dict[str, list[tuple[Rule, OverrideMatch, Overridden]]] = {}
        for rule in rules:
            assert isinstance(rule.match, OverrideMatch)
            for each in rule.match.methods:
                self.known.setdefault(each.method, []).append((rule, rule.match, each))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a method that lacks the parameter, and give it one."""
        assert isinstance(node, cst.FunctionDef)
        for rule, pattern, each in self.known.get(node.name.value, ()):
            parameters = node.params
            if not _lacks(parameters, each) or not _overrides(pattern, here):
                continue
            text = f"`{each.method}` is called with `{each.parameter}` too."
            reason = _misfit(parameters, each)
            if reason is not None:
                here.report(rule, node.name, text, not_fixed=reason)
                continue
            new = parameters.with_changes(params=_with(parameters.params, each.parameter))
            here.report(rule, node.name, text, changes=[(parameters, new)])

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _lacks(parameters: cst.Parameters, each: Overridden) -> bool:
    """True when the argument finds no parameter, under its name or at its place."""
    given = _positional(parameters)
    if each.position is not None:
        return len(given) <= each.position and not isinstance(parameters.star_arg, cst.Param)
    named = {param.name.value for param in (*given, *parameters.kwonly_params)}
    return parameters.star_kwarg is None and each.parameter not in named


def _misfit(parameters: cst.Parameters, each: Overridden) -> str | None:
    """Why the parameter cannot be added at the end."""
    if parameters.kwonly_params or isinstance(parameters.star_arg, cst.Param):
        return "other parameters stand behind those that are given by position"
    if parameters.star_kwarg is not None:
        return "it takes other arguments by keyword"
    if each.position not in {None, len(_positional(parameters))}:
        return "it takes fewer parameters than it is called with"
    return None


def _positional(parameters: cst.Parameters) -> list[cst.Param]:
    return [*parameters.posonly_params, *parameters.params]


def _overrides(pattern: OverrideMatch, here: Here) -> bool:
    owner = here.piece.statement.parent
    if owner is None or not isinstance(owner.node, ast.ClassDef):
        return False
    bases = {path for _, path in inheritance.lineage(owner.node, owner.scope)}
    return any(fnmatchcase(base, wanted) for base in bases for wanted in pattern.classes)


def _with(params: Sequence[cst.Param], name: str) -> list[cst.Param]:
    """The parameters and one more at the end, spaced as they are."""
    *head, last = params
    blank = cst.SimpleWhitespace("")
    new = cst.Param(
        star="",
        name=cst.Name(name),
        equal=cst.AssignEqual(blank, blank),
        default=cst.Name("None"),
        comma=last.comma,
        whitespace_after_param=last.whitespace_after_param,
    )
    before = head[-1].comma if head else cst.MaybeSentinel.DEFAULT
    comma = (
        before
        if isinstance(before, cst.Comma)
        else cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    )
    return [*head, last.with_changes(comma=comma, whitespace_after_param=blank), new]
