"""The arguments of a call, on the way to what takes the place of the function."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import arguments, literals, names
from neuron_migrate.engine.matchers.moved.splats import held

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import MovedArgument, MovedMatch
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.matchers.moved.entries import Entry
    from neuron_migrate.finding import Edit


@dataclass(slots=True)
class Passage:
    """A call and what is left of its arguments."""

    call: cst.Call
    entry: Entry
    here: Here
    args: list[cst.Arg] = field(default_factory=list)
    origins: list[cst.Arg] = field(default_factory=list)
    """What each of ``args`` was in the call, or was added as."""
    extra: list[Edit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What was dropped or changed, with its value."""
    later: dict[str, cst.BaseExpression] = field(default_factory=dict)
    """What the calls of what it makes must be given."""
    reasons: list[str] = field(default_factory=list)
    """Why it cannot be rewritten."""
    doubts: list[str] = field(default_factory=list)
    """Why the rewrite is unsafe."""

    @property
    def pattern(self) -> MovedMatch:
        """What the rule says."""
        return self.entry.pattern

    def go(self) -> None:
        """Take every argument over, leave it, or say why neither is possible."""
        self.args, self.origins = list(self.call.args), list(self.call.args)
        for place, arg in enumerate(self.call.args):
            if arg.star:
                self._spread(arg)
            elif arg.keyword is not None:
                self._take(arg, arg.keyword.value, arg.value)
            else:
                self._positional(arg, place)
        for needed in self.pattern.needs:
            if not self._gives(needed) and self._loads():
                self.doubts.append(f"without `{needed}=` the checkpoint may be a compiled one")
        for added in self.pattern.adds:
            self._add(added.name, added.unless, getattr(added, self.here.target))

    def _loads(self) -> bool:
        """False where the call is given nothing to load, or an object that was loaded before."""
        if self.pattern.loads is None:
            return True
        name, _, position = self.pattern.loads.partition(":")
        given = arguments.find(self.call, name, int(position))
        return given is not None and not _is_loaded(given.value, self.here)

    def _spread(self, arg: cst.Arg) -> None:
        items = held(arg, self.here)
        if items is None:
            what = self.here.source(arg.value)
            self.reasons.append(f"`{arg.star}{what}` may hold arguments that have no place there")
            return
        self._remove(arg)
        for name, value in items.items():
            self._take_held(name, value, arg)

    def _take_held(self, name: str, value: ast.expr, arg: cst.Arg) -> None:
        """An argument from a dict: a literal is written out, the rest is read from the dict."""
        source = ast.unparse(value)
        if not literals.is_literal(source):
            source = f"{self.here.source(arg.value)}[{name!r}]"
        node, _ = self.here.build(source)
        if arguments.keyword(self.call, name) is not None:
            self.reasons.append(f"`{name}` is given twice")
            return
        self._take(self._append(name, node), name, node)

    def _positional(self, arg: cst.Arg, place: int) -> None:
        for entry in self.pattern.arguments:
            if entry.position == place and self._fits(entry, arg.value):
                if any(after.keyword is None for after in self.call.args[place + 1 :]):
                    self.reasons.append("an argument is given by position after one that goes")
                self._change(entry, arg, entry.names[0], arg.value)
                return
        if place >= self.pattern.positional:
            self.reasons.append("an argument is given by position that has another place there")

    def _take(self, arg: cst.Arg, name: str, value: cst.BaseExpression) -> None:
        for entry in self.pattern.arguments:
            if name in entry.names and self._fits(entry, value):
                self._change(entry, arg, name, value)
                return

    def _fits(self, entry: MovedArgument, value: cst.BaseExpression) -> bool:
        if entry.of and self.entry.name.name not in entry.of:
            return False
        source = literals.normal(self.here.source(value))
        return not entry.values or any(literals.normal(each) == source for each in entry.values)

    def _change(
        self, entry: MovedArgument, arg: cst.Arg, name: str, value: cst.BaseExpression
    ) -> None:
        text = f"`{name}={self.here.source(value)}`"
        if entry.stops:
            self.reasons.append(f"{text}: {entry.note}")
            return
        if entry.to_calls:
            self.later[name] = value
        if entry.safety == "unsafe":
            self.doubts.append(f"{text} {entry.note}")
        new = self._new_value(entry, value)
        if new is None:
            if entry.becomes and not literals.is_literal(self.here.source(value)):
                self.doubts.append(f"what {text} stands for is not seen")
            self.notes.append(f"{text} {entry.note or 'goes'}")
            self._remove(arg)
            return
        assert entry.to is not None
        self.notes.append(f"{text} becomes `{entry.to}={self.here.source(new)}`")
        place = self._place(arg)
        keyword = cst.Name(entry.to)
        self.args[place] = self.args[place].with_changes(keyword=keyword, value=new)

    def _new_value(
        self, entry: MovedArgument, value: cst.BaseExpression
    ) -> cst.BaseExpression | None:
        """The value under the new name; None where the argument goes."""
        if entry.to is None or any(map(self._gives, (entry.to, *entry.unless))):
            return None
        if not entry.becomes:
            return value
        wanted = literals.normal(self.here.source(value))
        for source, template in entry.becomes.items():
            if literals.normal(source) == wanted:
                node, needed = self.here.build(template)
                self.extra += needed
                return node
        return None

    def _add(self, name: str, unless: tuple[str, ...], template: str) -> None:
        if any(map(self._gives, (name, *unless))):
            return
        node, needed = self.here.build(template)
        self._append(name, node)
        self.extra += needed

    def _append(self, name: str, value: cst.BaseExpression) -> cst.Arg:
        self.args = arguments.add(self.args, name, value, self.call)
        self.origins.append(self.args[-1])
        return self.args[-1]

    def _remove(self, arg: cst.Arg) -> None:
        place = self._place(arg)
        self.args = arguments.remove(self.args, self.args[place])
        del self.origins[place]

    def _place(self, arg: cst.Arg) -> int:
        return next(place for place, each in enumerate(self.origins) if each is arg)

    def _gives(self, name: str) -> bool:
        """True when the call gives the argument, also in a dict that it spreads."""
        if arguments.keyword(self.call, name) is not None:
            return True
        return any(name in (held(arg, self.here) or {}) for arg in self.call.args if arg.star)


def _is_loaded(value: cst.BaseExpression, here: Here) -> bool:
    """True for a call, or a variable that is only given the values of calls."""
    if not isinstance(value, cst.Name):
        return isinstance(value, cst.Call)
    bindings = names.lookup(value.value, here.scope)
    return bool(bindings) and all(isinstance(each.value, ast.Call) for each in bindings)
