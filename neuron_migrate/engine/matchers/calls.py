"""Calls of known functions: their arguments, or the call as a whole."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import CallMatch
from neuron_migrate.engine import (
    arguments,
    data_code,
    given,
    holds,
    host_inputs,
    inheritance,
    literals,
    moved_arguments,
    names,
    optional,
    receivers,
    surroundings,
    templates,
    torch_modules,
    visible,
)
from neuron_migrate.engine.arguments import last_name
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.patterns import ArgumentChange
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit, Safety


_OFF = frozenset({"False", "None", "0", "0.0"})


class Calls:
    """Matches rules of kind ``call``."""

    nodes = (cst.Call, cst.Decorator)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.by_leaf: dict[str, list[tuple[str, Rule]]] = {}
        self.patterns: list[tuple[str, Rule]] = []
        self.objects: list[tuple[str, Rule]] = []
        self.inherited: list[Rule] = []
        for rule in rules:
            assert isinstance(rule.match, CallMatch)
            if rule.match.subclasses:
                self.inherited.append(rule)
            for function in rule.match.functions:
                leaf = function.rpartition(".")[2]
                if function.startswith("<"):
                    self.objects.append((function, rule))
                elif "*" in leaf:
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
            if isinstance(rule.match, CallMatch) and rule.match.wins:
                here.file.claimed.add(node)
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
        leaf = last_name(func)
        path = here.path(func) or _builtin(func, here)
        candidates = [*self.by_leaf.get(leaf, ()), *self.patterns, *self.objects]
        if path and path.rpartition(".")[2] != leaf:
            candidates += self.by_leaf.get(path.rpartition(".")[2], ())
        found: list[Rule] = []
        for function, rule in candidates:
            assert isinstance(rule.match, CallMatch)
            required = rule.match.requires
            if required and here.file.roots.isdisjoint(required):
                continue
            beside = rule.match.beside
            if beside is not None and not re.search(beside, here.file.text):
                continue
            if _is_called(function, func, path, here) and rule not in found:
                found.append(rule)
        return [*found, *self._of_subclass(func, here)]

    def _of_subclass(self, func: cst.BaseExpression, here: Here) -> list[Rule]:
        """The rules for what a class of the file inherits its constructor from."""
        if not self.inherited or not isinstance(func, cst.Name):
            return []
        paths = inheritance.constructors(func.value, here.scope)
        return [
            rule
            for rule in self.inherited
            if isinstance(rule.match, CallMatch)
            and any(fnmatchcase(path, each) for path in paths for each in rule.match.functions)
        ]


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
        if given.any_holds(pattern.unless, self.call, self.here, self._shift):
            return
        if pattern.given and not given.any_holds(pattern.given, self.call, self.here, self._shift):
            return
        if not surroundings.allow(pattern, self.call, self.here):
            return
        if not self._is_meant() or (pattern.on_device and data_code.prepares_data(self.here)):
            return
        if pattern.given_to and not _is_given_to(pattern.given_to, self.call, self.here):
            return
        if pattern.drop:
            self._report_drop()
        elif pattern.neuron is not None or pattern.accelerator is not None:
            self._report_replaced()
        elif not pattern.arguments:
            info = pattern.caught and optional.is_caught(self.here)
            risk = Risk.INFO if info else None
            draft = self.here.report(self.rule, self._anchor(), risk=risk)
            draft.cuda_only = pattern.cuda_only
            draft.neutral = pattern.neutral
        else:
            self._report_arguments()

    @property
    def _shift(self) -> int:
        """How many arguments stand before those of the function."""
        return 1 if self.partial else 0

    def _is_meant(self) -> bool:
        """False for a method of this name that may be another one's."""
        pattern, func = self.pattern, self.call.func
        if not pattern.ambiguous and not pattern.unclear:
            return True
        if not isinstance(func, cst.Attribute) or self.here.path(func) in pattern.functions:
            return True
        if pattern.unclear:
            return not self.call.args and not torch_modules.is_module(func.value, self.here)
        return (
            f".{func.attr.value}" not in pattern.ambiguous
            or given.any_holds(pattern.telling, self.call, self.here)
            or torch_modules.is_module(func.value, self.here)
        )

    def _anchor(self) -> cst.CSTNode:
        return self.bare or (self.call.args[0] if self.partial else self.call.func)

    def _report_drop(self) -> None:
        outer = self.here.parent(self.call)
        if isinstance(outer, cst.Expr):
            self.here.report_removal(self.rule, self.call, safety=self._safety())
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
        if "({args})" in template:
            new = moved_arguments.like(new, self.call)
        new = templates.parenthesize_for(new, self.call, here.parent(self.call))
        here.report(
            self.rule,
            self._anchor(),
            changes=[(self.call, new)],
            extra=needed,
            safety=self._safety(),
        )

    def _safety(self) -> Safety:
        if self.here.target == "accelerator" and self.pattern.accelerator_safety is not None:
            return self.pattern.accelerator_safety
        return self.pattern.safety

    def _report_arguments(self) -> None:
        """One finding for the call, or one for every argument."""
        if not self.pattern.each:
            self._report_changes(self.pattern.arguments, self._anchor())
            return
        for change in self.pattern.arguments:
            found = arguments.find(self.call, change.name, self._position(change))
            self._report_changes((change,), found or self._anchor())

    def _report_changes(self, changes: Sequence[ArgumentChange], anchor: cst.CSTNode) -> None:
        """Apply every argument change that holds, and report them together."""
        args = list(self.call.args)
        changes = self._not_redefined(changes)
        notes: list[str] = []
        reasons: list[str] = []
        needed: list[Edit] = []
        safety: Safety = "safe"
        risks: list[Risk] = []
        reported = changed = stopped = False
        for change in changes:
            outcome = self._change(change, args)
            if outcome is None:
                continue
            args, extra, reason = outcome
            needed += extra
            if change.action == "stop":
                reasons.append(change.note)
                stopped = True
                continue
            risks.append(change.risk or self.rule.risk)
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
        if not (reported or changed or stopped):
            return
        draft = self._emit(
            anchor, args, notes, reasons, needed, safety, changed=changed and not stopped
        )
        if draft.fix is None and (changed or stopped) and self.pattern.unknown_risk is not None:
            draft.risk = self.pattern.unknown_risk
        elif draft.risk is self.rule.risk:
            draft.risk = min(risks, key=lambda risk: risk.rank, default=draft.risk)

    def _not_redefined(self, changes: Sequence[ArgumentChange]) -> list[ArgumentChange]:
        """The changes but those to arguments that a subclass of the file takes itself."""
        func = self.call.func
        if not self.pattern.subclasses or not isinstance(func, cst.Name):
            return list(changes)
        fields = inheritance.fields(func.value, self.here.scope)
        return [change for change in changes if change.name not in fields]

    def _emit(
        self,
        anchor: cst.CSTNode,
        args: list[cst.Arg],
        notes: list[str],
        reasons: list[str],
        needed: list[Edit],
        safety: Safety,
        *,
        changed: bool,
    ) -> Draft:
        new = self.call.with_changes(args=args)
        old: cst.CSTNode = self.call if self.bare is None else self.bare
        splat = arguments.has_splat(self.call) and self.pattern.splat == "report"
        if splat and changed:
            changed, reasons = False, [*reasons, "`**` or `*` may hold the same argument"]
        doubt = self.pattern.doubt
        if changed and doubt is not None and re.search(doubt, self.here.file.text):
            safety, reasons = "unsafe", [*reasons, "other code of the file may rule it out"]
        line = self._host_input() if changed else None
        if line is not None:
            reason = f"line {line} calls it with a tensor of the host, which it then does not move"
            safety, reasons = "unsafe", [*reasons, reason]
        hold = holds.strongest(self.pattern.holds, self.here) if changed else None
        if hold is not None:
            changed, safety, reasons = hold.unsafe, "unsafe", [*reasons, hold.reason]
        draft = self.here.report(
            self.rule,
            anchor,
            " ".join(dict.fromkeys(notes)),
            changes=[(old, new)] if changed else (),
            extra=needed if changed else (),
            safety=safety,
            not_fixed="; ".join(reasons) or None,
        )
        draft.cuda_only = self.pattern.cuda_only and not changed
        draft.neutral = self.pattern.neutral
        return draft

    def _host_input(self) -> int | None:
        """The line that makes use of the move that the fix ends."""
        return host_inputs.line(self.call, self.here) if self.pattern.moves_inputs else None

    def _change(
        self, change: ArgumentChange, args: list[cst.Arg]
    ) -> tuple[list[cst.Arg], list[Edit], str | None] | None:
        """The arguments after one change, or None when it has nothing to do."""
        here = self.here
        if change.target not in {None, here.target}:
            return None
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
        if found is None and change.absent:
            unknown = change.action == "report" and arguments.has_splat(self.call)
            return None if unknown else (args, [], None)
        if found is None or not _applies(change, found.value, here):
            return None
        if change.action in {"report", "stop"}:
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
        beside = arguments.keyword(self.call.with_changes(args=args), to)
        if beside is not None:
            other = literals.normal(self.here.source(beside.value))
            if change.value is None and (other in _OFF or not literals.is_literal(other)):
                return args, [], f"`{to}={self.here.source(beside.value)}` stands beside it"
            return arguments.remove(args, found), [], None
        if found.keyword is None:
            return args, [], f"`{change.name}` is given by position"
        new = found.with_changes(keyword=cst.Name(to))
        needed: list[Edit] = []
        if change.value is not None:
            value, needed = self.here.build(change.value)
            new = new.with_changes(value=_styled(value, found.value))
        return [new if arg is found else arg for arg in args], needed, None

    def _position(self, change: ArgumentChange) -> int | None:
        if change.position is None:
            return None
        return change.position + 1 if self.partial else change.position


def _is_given_to(wanted: tuple[str, ...], call: cst.Call, here: Here) -> bool:
    """True when the call's value gets one of the names, as a variable, attribute or keyword."""
    parent = here.parent(call)
    if isinstance(parent, cst.Arg):
        return parent.keyword is not None and parent.keyword.value in wanted
    if isinstance(parent, cst.Assign):
        return any(last_name(each.target) in wanted for each in parent.targets)
    return isinstance(parent, cst.AnnAssign) and last_name(parent.target) in wanted


def _applies(change: ArgumentChange, value: cst.BaseExpression, here: Here) -> bool:
    if change.visibly is not None and not visible.is_visibly(change.visibly, value, here):
        return False
    source = literals.normal(here.source(value))
    path = here.path(value)
    if any(literals.normal(each) == source or each == path for each in change.unless):
        return False
    if any("*" in each and fnmatchcase(source, each) for each in change.unless):
        return False
    if change.computed is not None and change.computed == literals.is_literal(source):
        return False
    return not change.values or any(
        literals.normal(each) == source
        or (path and fnmatchcase(path, each))
        or ("*" in each and fnmatchcase(source, each))
        for each in change.values
    )


def _builtin(func: cst.BaseExpression, here: Here) -> str:
    """``builtins.name`` for a name that nothing in the file binds."""
    if isinstance(func, cst.Name) and not names.lookup(func.value, here.scope):
        return f"builtins.{func.value}"
    return ""


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
    if function.startswith("<"):
        return not path and last_name(func).lower().endswith(function.strip("<>"))
    if function.startswith("."):
        if not isinstance(func, cst.Attribute) or f".{func.attr.value}" != function:
            return False
        reason = receivers.doubt(func.value, func.attr.value, here)
        return reason is None and not receivers.is_module(func.value, here)
    return bool(path) and fnmatchcase(path, function)
