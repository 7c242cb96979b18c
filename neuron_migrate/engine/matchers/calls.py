"""Calls of known functions: their arguments, or the call as a whole."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import CallMatch
from neuron_migrate.engine import arguments, receivers, templates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.patterns import ArgumentChange
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import File, Here
    from neuron_migrate.finding import Edit, Safety


class Calls:
    """Matches rules of kind ``call``."""

    nodes = (cst.Call, cst.Decorator)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.by_leaf: dict[str, list[tuple[str, Rule]]] = {}
        self.patterns: list[tuple[str, Rule]] = []
        for rule in rules:
            assert isinstance(rule.match, CallMatch)
            for function in rule.match.functions:
                leaf = function.rpartition(".")[2]
                if "*" in leaf:
                    self.patterns.append((function, rule))
                else:
                    self.by_leaf.setdefault(leaf, []).append((function, rule))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a call, or a bare decorator that stands for one."""
        if isinstance(node, cst.Decorator):
            if isinstance(node.decorator, (cst.Name, cst.Attribute)):
                self._decorator(node.decorator, here)
            return
        assert isinstance(node, cst.Call)
        for rule in self._rules(node.func, here):
            _Site(rule, node, here).report()
        if here.path(node.func).endswith("functools.partial") and node.args:
            for rule in self._rules(node.args[0].value, here):
                _Site(rule, node, here, partial=True).report()

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _decorator(self, name: cst.Name | cst.Attribute, here: Here) -> None:
        for rule in self._rules(name, here):
            call = cst.Call(func=name)
            _Site(rule, call, here, bare=name).report()

    def _rules(self, func: cst.BaseExpression, here: Here) -> list[Rule]:
        """The rules for a called function, in the order of their codes."""
        leaf = _leaf(func)
        path = here.path(func)
        candidates = [*self.by_leaf.get(leaf, ()), *self.patterns]
        if path and path.rpartition(".")[2] != leaf:
            candidates += self.by_leaf.get(path.rpartition(".")[2], ())
        found: list[Rule] = []
        for function, rule in candidates:
            assert isinstance(rule.match, CallMatch)
            required = rule.match.requires
            if required and here.file.roots.isdisjoint(required):
                continue
            if _is_called(function, func, path, here) and rule not in found:
                found.append(rule)
        return found


@dataclass(slots=True)
class _Site:
    """One call under one rule."""

    rule: Rule
    call: cst.Call
    here: Here
    partial: bool = False
    """The function is the first argument of ``functools.partial``."""
    bare: cst.BaseExpression | None = None
    """The decorator that the call was made up from."""

    @property
    def pattern(self) -> CallMatch:
        match = self.rule.match
        assert isinstance(match, CallMatch)
        return match

    def report(self) -> None:
        """Report the call when the rule has something to say about it."""
        pattern = self.pattern
        if any(arguments.keyword(self.call, name) for name in pattern.unless):
            return
        if pattern.drop:
            self._report_drop()
        elif pattern.neuron is not None or pattern.accelerator is not None:
            self._report_replaced()
        elif not pattern.arguments:
            draft = self.here.report(self.rule, self._anchor())
            draft.cuda_only = pattern.cuda_only
        else:
            self._report_arguments()

    def _anchor(self) -> cst.CSTNode:
        return self.bare or (self.call.args[0] if self.partial else self.call.func)

    def _report_drop(self) -> None:
        outer = self.here.parent(self.call)
        if isinstance(outer, cst.Expr):
            self.here.report_removal(self.rule, self.call, safety=self.pattern.safety)
        else:
            self.here.report(self.rule, self._anchor(), not_fixed="its value is used")

    def _report_replaced(self) -> None:
        pattern, here = self.pattern, self.here
        template = pattern.neuron if here.target == "neuron" else pattern.accelerator
        if template is None or self.bare is not None or self.partial:
            here.report(self.rule, self._anchor(), not_fixed="there is no one form to put here")
            return
        numbered = {str(index): arg.value for index, arg in enumerate(self.call.args)}
        receiver = self.call.func.value if isinstance(self.call.func, cst.Attribute) else None
        nodes = numbered if receiver is None else {**numbered, "self": receiver}
        new, needed = here.build(template, nodes=nodes, args=list(self.call.args))
        new = templates.parenthesize_for(new, self.call, here.parent(self.call))
        here.report(
            self.rule,
            self._anchor(),
            changes=[(self.call, new)],
            extra=needed,
            safety=pattern.safety,
        )

    def _report_arguments(self) -> None:
        """Apply every argument change that holds; one finding for the call."""
        args = list(self.call.args)
        notes: list[str] = []
        reasons: list[str] = []
        needed: list[Edit] = []
        safety: Safety = "safe"
        reported = changed = False
        for change in self.pattern.arguments:
            outcome = self._change(change, args)
            if outcome is None:
                continue
            args, extra, reason = outcome
            needed += extra
            if change.note:
                notes.append(change.note)
            if reason is not None:
                reasons.append(reason)
                reported = True
            elif change.action == "report":
                reported = True
            else:
                changed = True
                if _safety(change, self.here) == "unsafe":
                    safety = "unsafe"
        if reported or changed:
            self._emit(args, notes, reasons, needed, safety, changed=changed)

    def _emit(
        self,
        args: list[cst.Arg],
        notes: list[str],
        reasons: list[str],
        needed: list[Edit],
        safety: Safety,
        *,
        changed: bool,
    ) -> None:
        new = self.call.with_changes(args=args)
        old: cst.CSTNode = self.call if self.bare is None else self.bare
        splat = arguments.has_splat(self.call) and self.pattern.splat == "report"
        if splat and changed:
            changed, reasons = False, [*reasons, "`**` or `*` may hold the same argument"]
        draft = self.here.report(
            self.rule,
            self._anchor(),
            " ".join(dict.fromkeys(notes)),
            changes=[(old, new)] if changed else (),
            extra=needed if changed else (),
            safety=safety,
            not_fixed="; ".join(reasons) or None,
        )
        draft.cuda_only = self.pattern.cuda_only and not changed

    def _change(
        self, change: ArgumentChange, args: list[cst.Arg]
    ) -> tuple[list[cst.Arg], list[Edit], str | None] | None:
        """The arguments after one change, or None when it has nothing to do."""
        here = self.here
        current = self.call.with_changes(args=args)
        found = arguments.find(current, change.name, self._position(change))
        to = change.to
        if here.target == "accelerator" and change.accelerator is not None:
            to = change.accelerator
            if not to:
                return None
        if change.action == "add":
            if found is not None or to is None:
                return None
            value, needed = here.build(to)
            return arguments.add(args, change.name, value, self.call), needed, None
        if found is None or not _applies(change, found.value, here):
            return None
        if change.action == "report":
            return args, [], None
        if change.action == "remove":
            if found.keyword is None and found is not args[-1]:
                return args, [], f"`{change.name}` is given by position before other arguments"
            return arguments.remove(args, found), [], None
        assert to is not None
        if change.action == "rename":
            return self._rename(change, to, found, args)
        value, needed = here.build(to, nodes={"value": found.value})
        new = found.with_changes(value=_styled(value, found.value))
        return [new if arg is found else arg for arg in args], needed, None

    def _rename(
        self, change: ArgumentChange, to: str, found: cst.Arg, args: list[cst.Arg]
    ) -> tuple[list[cst.Arg], list[Edit], str | None]:
        if arguments.keyword(self.call, to) is not None:
            return arguments.remove(args, found), [], None
        if found.keyword is None:
            return args, [], f"`{change.name}` is given by position"
        new = found.with_changes(keyword=cst.Name(to))
        return [new if arg is found else arg for arg in args], [], None

    def _position(self, change: ArgumentChange) -> int | None:
        if change.position is None:
            return None
        return change.position + 1 if self.partial else change.position


def _applies(change: ArgumentChange, value: cst.BaseExpression, here: Here) -> bool:
    source = _normal(here.source(value))
    path = here.path(value)
    if any(_normal(each) == source or each == path for each in change.unless):
        return False
    return not change.values or any(
        _normal(each) == source or (path and fnmatchcase(path, each)) for each in change.values
    )


def _normal(source: str) -> str:
    """Literals compare by value, everything else by its text."""
    try:
        return repr(ast.literal_eval(source))
    except (ValueError, SyntaxError, TypeError):
        return source


def _safety(change: ArgumentChange, here: Here) -> Safety:
    if here.target == "accelerator" and change.accelerator_safety is not None:
        return change.accelerator_safety
    return change.safety


def _styled(new: cst.BaseExpression, old: cst.BaseExpression) -> cst.BaseExpression:
    """A string keeps the quotes of the one it replaces."""
    if isinstance(new, cst.SimpleString) and isinstance(old, cst.SimpleString):
        return templates.requote(new, old.quote)
    return new


def _is_called(function: str, func: cst.BaseExpression, path: str, here: Here) -> bool:
    if function.startswith("."):
        if not isinstance(func, cst.Attribute) or f".{func.attr.value}" != function:
            return False
        reason = receivers.doubt(func.value, func.attr.value, here)
        return reason is None and not receivers.is_module(func.value, here)
    return bool(path) and fnmatchcase(path, function)


def _leaf(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
