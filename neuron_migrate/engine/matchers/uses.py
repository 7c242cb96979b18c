"""One reference to a known name, and what is written in its place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import NamesMatch
from neuron_migrate.engine import conditions, holds, moved_arguments, templates
from neuron_migrate.engine.matchers import indices, repeats

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import Hold, NameEntry
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import Draft, Here
    from neuron_migrate.finding import Edit, Safety, Target

_PLACEHOLDER = re.compile(r"\{\w+\}")


@dataclass(frozen=True, slots=True)
class Known:
    """A name of the catalog and the rule it stands in."""

    rule: Rule
    entry: NameEntry

    def replacement(self, target: Target) -> str | None:
        """What to write instead, if anything."""
        return self.entry.neuron if target == "neuron" else self.entry.accelerator


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What becomes of a reference, or why nothing does."""

    old: cst.BaseExpression
    new: cst.BaseExpression | None = None
    imports: list[Edit] = field(default_factory=list)
    reason: str | None = None
    """Why there is no rewrite, or why it is unsafe."""
    named: bool = False
    """True when another name is all it takes, so that an import can give it instead."""
    local: bool = False
    """True when it still goes through the name that the reference starts with."""
    doubtful: bool = False


@dataclass(frozen=True, eq=False)
class Use:
    """One reference to a known name."""

    here: Here
    node: cst.BaseExpression
    known: Known

    @property
    def replacement(self) -> str | None:
        """What to write instead, if anything."""
        entry, here = self.known.entry, self.here
        cautious = entry.accelerator_value if here.target == "accelerator" else None
        if cautious is not None and conditions.may_lack_device(here, self.node):
            return cautious
        return self.known.replacement(here.target)

    @property
    def safety(self) -> Safety:
        """Whether the replacement may raise where the original did not."""
        entry, here = self.known.entry, self.here
        if self.rewrite.doubtful or self._hold is not None:
            return "unsafe"
        if here.target == "accelerator":
            if self._may_raise():
                return "unsafe"
            return entry.accelerator_safety or entry.safety
        return entry.safety

    def report(self) -> Draft:
        """Report the use, rewritten where it stands."""
        here, entry, rule = self.here, self.known.entry, self.known.rule
        if self._repeats():
            text = f"The call beside it does the same as `{entry.name}`."
            draft = here.report_removal(rule, self.node, text)
            draft.risk = entry.risk or draft.risk
            return draft
        if entry.dropped == here.target and self._is_statement():
            text = message(entry, None, here.target, written=False)
            return here.report_removal(rule, self.node, text)
        rewrite = self.rewrite
        draft = here.report(
            rule,
            self.node,
            message(entry, self.replacement, here.target, written=rewrite.new is not None),
            changes=[(rewrite.old, rewrite.new)] if rewrite.new is not None else (),
            extra=rewrite.imports,
            safety=self.safety,
            not_fixed=rewrite.reason or self._why_unsafe(),
            risk=entry.risk,
            confidence=entry.confidence,
        )
        assert isinstance(rule.match, NamesMatch)
        draft.cuda_only = rule.match.cuda_only
        if entry.test:
            draft.test = (here.piece, self.node)
        return draft

    @cached_property
    def rewrite(self) -> Rewrite:
        """The nodes to exchange."""
        template = self.replacement
        if template is None:
            return Rewrite(self.node)
        lacking = self._lacking()
        if lacking is not None:
            return Rewrite(self.node, reason=f"there is no `.{lacking}` on what replaces it")
        if self._hold is not None and not self._hold.unsafe and self._call() is not None:
            return Rewrite(self.node, reason=self._hold.reason)
        if self.known.entry.uncalled is not None and self._call() is None:
            return self._renamed(self.known.entry.uncalled)
        if "(" in template or "{" in template:
            return self._called(template)
        return self._renamed(template)

    @cached_property
    def _hold(self) -> Hold | None:
        """What in the file speaks against the rewrite."""
        return holds.strongest(self.known.entry.holds, self.here)

    def _call(self) -> cst.Call | None:
        """The call of the name, if this is one."""
        parent = self.here.parent(self.node)
        return parent if isinstance(parent, cst.Call) and parent.func is self.node else None

    def _is_statement(self) -> bool:
        call = self._call()
        return call is not None and isinstance(self.here.parent(call), cst.Expr)

    def _may_raise(self) -> bool:
        """True when the accelerator form fails on a machine without one, as this did not."""
        entry = self.known.entry
        if not entry.needs_accelerator or (entry.uncalled and self._call() is None):
            return False
        return not conditions.under_device_test(self.here, self.node)

    def _lacking(self) -> str | None:
        """An attribute that is read from the result and that the replacement does not give."""
        call = self._call()
        outer = self.here.parent(call) if call is not None else None
        if isinstance(outer, cst.Attribute) and outer.attr.value in self.known.entry.lacks:
            return outer.attr.value
        return None

    def _renamed(self, name: str) -> Rewrite:
        """Another name for the reference; the arguments of a call only lose a keyword."""
        new, imports, local = self._dotted(name)
        call, entry = self._call(), self.known.entry
        if call is None:
            named = not local and _is_path(name)
            return Rewrite(self.node, new, imports, named=named, local=local)
        args, reason, doubtful = self._arguments(call)
        if reason is not None and not doubtful:
            return Rewrite(call, reason=reason)
        if args == list(call.args):
            named = not local and not entry.repeats and _is_path(name)
            return Rewrite(self.node, new, imports, reason, named, local, doubtful)
        changed = call.with_changes(func=new, args=args)
        return Rewrite(call, changed, imports, reason, local=local, doubtful=doubtful)

    def _arguments(self, call: cst.Call) -> tuple[list[cst.Arg], str | None, bool]:
        """The arguments for the new name; a reason against the rewrite, or only to doubt it."""
        entry, args = self.known.entry, list(call.args)
        if entry.takes is not None:
            for arg in args:
                if arg.keyword is None or arg.keyword.value not in entry.takes:
                    return args, "an argument has no place in the replacement", False
        if entry.positional:
            if len(args) > 1 and any(arg.keyword for arg in args):
                return args, "the replacement takes arguments by position only", False
            args = [_by_position(arg) for arg in args]
        if entry.index and args:
            index = indices.number(args[0].value, self.here)
            if index is None:
                return args, "the replacement takes the number of a device", True
            args = [args[0].with_changes(value=index), *args[1:]]
        return args, None, False

    def _dotted(self, name: str) -> tuple[cst.BaseExpression, list[Edit], bool]:
        """A dotted name, through the import that the reference goes through where that holds it."""
        prefix = self.node
        while isinstance(prefix, cst.Attribute):
            prefix = prefix.value
            path = self.here.path(prefix)
            if path and name.startswith(f"{path}.") and not prefix.lpar:
                rest = name[len(path) + 1 :].split(".")
                return _chained(self.node, prefix, rest), [], True
        new, imports = self.here.build(name)
        return new, imports, False

    def _called(self, template: str) -> Rewrite:
        """A template in the place of a call."""
        call = self._call()
        if call is None and self._decorates():
            new, imports = self.here.build(template)
            return Rewrite(self.node, new, imports)
        if call is None:
            return Rewrite(
                self.node, reason="it is not called here, and no single name can stand for it"
            )
        try:
            args, needed = moved_arguments.fitted(self.known.entry, call, self.here)
        except moved_arguments.Misfit as misfit:
            return Rewrite(call, reason=str(misfit))
        reason = self._misfit(template, args)
        if reason is not None:
            return Rewrite(call, reason=reason)
        numbered = {str(index): arg.value for index, arg in enumerate(args)}
        new, imports = self.here.build(template, args=args, nodes=numbered)
        if args:
            new = moved_arguments.like(new, call)
        new = templates.parenthesize_for(new, call, self.here.parent(call))
        return Rewrite(call, new, [*needed, *imports])

    def _decorates(self) -> bool:
        return self.known.entry.decorates and isinstance(
            self.here.parent(self.node), cst.Decorator
        )

    def _misfit(self, template: str, args: list[cst.Arg]) -> str | None:
        """Why the arguments of the call do not fit into the template."""
        takes = self.known.entry.takes
        if takes is not None and any(
            arg.keyword is None or arg.keyword.value not in takes for arg in args
        ):
            return "an argument has no place in the replacement"
        wanted = [int(number) for number in re.findall(r"\{(\d+)\}", template)]
        if any(index >= len(args) or args[index].star or args[index].keyword for index in wanted):
            return "its arguments are not given by position"
        if "{args}" not in template and len(args) > len(wanted):
            return "its arguments have no place in the replacement"
        return None

    def _repeats(self) -> bool:
        call, template = self._call(), self.replacement
        if not self.known.entry.repeats or template is None or call is None:
            return False
        return repeats.stands_beside(template, call, self.here)

    def _why_unsafe(self) -> str | None:
        if self.safety == "safe" or self.rewrite.new is None:
            return None
        if self._hold is not None:
            return self._hold.reason
        if self.here.target == "accelerator" and self._may_raise():
            return "it raises on a machine without an accelerator, and no test is around it"
        return None


def message(
    entry: NameEntry, replacement: str | None, target: Target, *, written: bool
) -> str:
    """What to say about a name."""
    note = entry.note
    form = _PLACEHOLDER.sub("…", replacement.replace("{args}, ", "")) if replacement else ""
    if replacement is not None and written:
        what = f"`{entry.name}` becomes `{form}`"
    elif target == "accelerator" and replacement is None and entry.neuron is not None:
        what = f"`{entry.name}` has no device-neutral form, only `{entry.neuron}`"
    elif note:
        return f"`{entry.name}`: {note}"
    elif replacement is not None:
        what = f"`{entry.name}` is `{form}` there"
    else:
        what = f"`{entry.name}` has no known Neuron equivalent"
    return f"{what}: {note}" if note else f"{what}."


def _is_path(name: str) -> bool:
    return all(part.isidentifier() for part in name.split("."))


def _by_position(arg: cst.Arg) -> cst.Arg:
    return arg.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT)


def _chained(
    node: cst.BaseExpression, prefix: cst.BaseExpression, names: list[str]
) -> cst.BaseExpression:
    """``prefix`` followed by ``names``, spaced as in ``node`` as far as that reaches."""
    trail: list[cst.Attribute] = []
    while node is not prefix:
        assert isinstance(node, cst.Attribute)
        trail.append(node)
        node = node.value
    new = prefix
    for name in names:
        old = trail.pop() if trail else None
        if old is None:
            new = cst.Attribute(value=new, attr=cst.Name(name))
        elif old.value is new and old.attr.value == name:
            new = old
        else:
            new = old.with_changes(value=new, attr=cst.Name(name))
    return new
