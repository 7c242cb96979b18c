"""What is written in the place of a name, or why nothing is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import moved_arguments, templates
from neuron_migrate.engine.matchers.names import indices, results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.patterns import NameEntry
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit


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


@dataclass(frozen=True, slots=True)
class Rewriter:
    """One reference, to be replaced as its entry in the catalog says."""

    here: Here
    node: cst.BaseExpression
    entry: NameEntry

    def rewrite(self, template: str | None) -> Rewrite:
        """The nodes to exchange for a replacement."""
        if template is None:
            return Rewrite(self.node)
        lacking = self._lacking()
        if lacking is not None:
            return Rewrite(self.node, reason=f"there is no `.{lacking}` on what replaces it")
        if self.entry.uncalled is not None and called(self.here, self.node) is None:
            return self._renamed(self.entry.uncalled)
        if "(" in template or "{" in template:
            return self._called(template)
        return self._renamed(template)

    def _lacking(self) -> str | None:
        """An attribute that is read from the result and that the replacement does not give."""
        if not self.entry.lacks:
            return None
        call = called(self.here, self.node)
        read = results.attributes_read(call, self.here) if call is not None else ()
        return next((name for name in read if name in self.entry.lacks), None)

    def _renamed(self, name: str) -> Rewrite:
        """Another name for the reference; the arguments of a call only lose a keyword."""
        new, imports, local = self._dotted(name)
        call, entry = called(self.here, self.node), self.entry
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
        entry, args = self.entry, list(call.args)
        if self._takes_less(args):
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
        call = called(self.here, self.node)
        if call is None and self._decorates():
            new, imports = self.here.build(template)
            return Rewrite(self.node, new, imports)
        bound = moved_arguments.partial_of(self.node, self.here)
        if call is None and bound is not None and self.entry.parameters:
            return self._in_partial(bound, template)
        if call is None:
            return Rewrite(
                self.node, reason="it is not called here, and no single name can stand for it"
            )
        try:
            args, needed = moved_arguments.fitted(self.entry, call, self.here)
        except moved_arguments.MisfitError as misfit:
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

    def _in_partial(self, bound: cst.Call, template: str) -> Rewrite:
        """A template in the place of a function that ``functools.partial`` gives arguments to."""
        call = cst.Call(func=self.node, args=bound.args[1:])
        try:
            args, needed = moved_arguments.fitted(self.entry, call, self.here)
        except moved_arguments.MisfitError as misfit:
            return Rewrite(self.node, reason=str(misfit))
        made, imports = self.here.build(template, args=args)
        assert isinstance(made, cst.Call)
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        first = bound.args[0].with_changes(value=made.func, comma=comma)
        return Rewrite(bound, bound.with_changes(args=[first, *made.args]), [*needed, *imports])

    def _decorates(self) -> bool:
        return self.entry.decorates and isinstance(self.here.parent(self.node), cst.Decorator)

    def _misfit(self, template: str, args: list[cst.Arg]) -> str | None:
        """Why the arguments of the call do not fit into the template."""
        if self._takes_less(args):
            return "an argument has no place in the replacement"
        wanted = [int(number) for number in re.findall(r"\{(\d+)\}", template)]
        if any(index >= len(args) or args[index].star or args[index].keyword for index in wanted):
            return "its arguments are not given by position"
        if "{args}" not in template and len(args) > len(wanted):
            return "its arguments have no place in the replacement"
        return None

    def _takes_less(self, args: Sequence[cst.Arg]) -> bool:
        """True when a keyword of the call has no place in the replacement."""
        takes = self.entry.takes
        return takes is not None and any(
            arg.star or (arg.keyword is not None and arg.keyword.value not in takes) for arg in args
        )


def called(here: Here, node: cst.BaseExpression) -> cst.Call | None:
    """The call of a name, if the name is called."""
    parent = here.parent(node)
    return parent if isinstance(parent, cst.Call) and parent.func is node else None


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
