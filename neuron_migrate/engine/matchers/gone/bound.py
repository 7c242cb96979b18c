"""The arguments of a call by parameter, and a template filled in with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import arguments, given, literals, moved_arguments
from neuron_migrate.engine.moved_arguments import MisfitError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.patterns import GoneForm, GoneName
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_BLANK = cst.SimpleWhitespace("")


@dataclass(frozen=True, slots=True)
class Bound:
    """The arguments of one call of a known name.

    Making one raises MisfitError when it cannot be seen what the call is given.
    """

    entry: GoneName
    call: cst.Call
    here: Here
    named: dict[str, cst.Arg] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parameters = self.entry.parameters
        positional = parameters.index("*") if "*" in parameters else len(parameters)
        for place, arg in enumerate(self.call.args):
            if arg.keyword is not None:
                self.named[arg.keyword.value] = arg
            elif arg.star == "**" or (arg.star and place < positional):
                raise MisfitError(f"`{arg.star}` may hold any of its arguments")
            elif place < positional:
                self.named[parameters[place]] = arg

    def holds(self, conditions: Iterable[str]) -> bool:
        """True when all of the conditions on the arguments hold."""
        call = cst.Call(self.call.func, [_keyword(arg, name) for name, arg in self.named.items()])
        return all(given.any_holds([each], call, self.here) for each in conditions)

    def check(self, form: GoneForm, template: str) -> None:
        """Raise MisfitError when an argument has no place in a template."""
        wanted = set(_PLACEHOLDER.findall(template))
        conditions = (*self.entry.ignored, *form.given)
        spoken_of = {_parameter(condition) for condition in conditions}
        for arg in self._passed(form, wanted):
            name = next((name for name, each in self.named.items() if each is arg), None)
            if "args" not in wanted or name in spoken_of:
                which = f"`{name}`" if name else "an argument"
                raise MisfitError(f"{which} has no place in what replaces it")

    def filled(self, form: GoneForm, template: str) -> tuple[cst.BaseExpression, list[Edit]]:
        """The template with the arguments in it, and the import edits that it needs."""
        wanted = set(_PLACEHOLDER.findall(template)) - {"args"}
        needed: list[Edit] = []
        nodes: dict[str, cst.BaseExpression] = {}
        for name in wanted:
            value, imports = self._value(form, name)
            nodes[name] = _atom(value) if f"{{{name}}}." in template else value
            needed += imports
        args, imports = self._args(form, wanted)
        new, more = self.here.build(template, nodes=nodes, args=args)
        if "{args}" in template:
            new = moved_arguments.like(new, self.call)
        return new, [*needed, *imports, *more]

    def _value(self, form: GoneForm, name: str) -> tuple[cst.BaseExpression, list[Edit]]:
        """What stands for a parameter in the template."""
        arg = self.named.get(name)
        if arg is None:
            raise MisfitError(f"`{name}` is not given")
        value = arg.value
        if name == form.lone:
            return _only_element(value, name), []
        if name not in form.values:
            return value, []
        source, path = literals.normal(self.here.source(value)), self.here.path(value)
        for key, new in form.values[name].items():
            if source == literals.normal(key) or fnmatchcase(path or source, key):
                return self.here.build(new)
        raise MisfitError(f"`{self.here.source(value)}` as `{name}` has no known counterpart")

    def _args(self, form: GoneForm, wanted: set[str]) -> tuple[list[cst.Arg], list[Edit]]:
        """The arguments that ``{args}`` stands for, laid out as the call lays out its own."""
        passed = self._passed(form, wanted)
        args = [each for arg in passed for each in self._handed(form, arg)]
        if args and passed[-1] is not self.call.args[-1]:
            last = self.call.args[-1]
            args[-1] = args[-1].with_changes(
                comma=last.comma, whitespace_after_arg=last.whitespace_after_arg
            )
        needed: list[Edit] = []
        for name, source in form.supplies.items():
            if arguments.keyword(self.call.with_changes(args=args), name) is None:
                value, imports = self.here.build(source)
                args = arguments.add(args, name, value, self.call)
                needed += imports
        return args, needed

    def _passed(self, form: GoneForm, wanted: set[str]) -> list[cst.Arg]:
        """The arguments that neither a placeholder takes nor the native stack can do without."""
        taken = [
            arg
            for name, arg in self.named.items()
            if name in wanted or self._is_ignored(name, form)
        ]
        return [arg for arg in self.call.args if not any(arg is each for each in taken)]

    def _is_ignored(self, name: str, form: GoneForm) -> bool:
        """True when an argument goes, or has chosen the form."""
        chosen = (condition for condition in form.given if "=" in condition)
        return any(
            _parameter(condition) == name and self.holds([condition])
            for condition in (*self.entry.ignored, *chosen)
        )

    def _handed(self, form: GoneForm, arg: cst.Arg) -> Sequence[cst.Arg]:
        """An argument as the replacement takes it."""
        name = next((name for name, each in self.named.items() if each is arg), None)
        if name is None:
            return [arg]
        if name == form.spread:
            return _elements(arg)
        return [_keyword(arg, self.entry.renamed.get(name, name))]


def _parameter(condition: str) -> str:
    """The parameter that a condition asks about."""
    return condition.lstrip("!").partition("=")[0]


def _keyword(arg: cst.Arg, name: str) -> cst.Arg:
    if arg.keyword is not None and arg.keyword.value == name:
        return arg
    equal = arg.equal if arg.keyword is not None else cst.AssignEqual(_BLANK, _BLANK)
    return arg.with_changes(keyword=cst.Name(name), equal=equal)


def _only_element(value: cst.BaseExpression, name: str) -> cst.BaseExpression:
    if isinstance(value, cst.List) and len(value.elements) == 1:
        element = value.elements[0]
        if isinstance(element, cst.Element):
            return element.value
    raise MisfitError(f"`{name}` is not a list of one element by its text")


def _elements(arg: cst.Arg) -> list[cst.Arg]:
    """The elements of a tuple display as arguments; of anything else, all it holds."""
    if not isinstance(arg.value, cst.Tuple):
        return [arg.with_changes(star="*", keyword=None, equal=cst.MaybeSentinel.DEFAULT)]
    given_as = [(each.value, isinstance(each, cst.StarredElement)) for each in arg.value.elements]
    return [cst.Arg(value, star="*" if starred else "") for value, starred in given_as]


def _atom(node: cst.BaseExpression) -> cst.BaseExpression:
    """The node, in parentheses unless an attribute can follow it as it is."""
    atoms = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.SimpleString)
    if isinstance(node, atoms) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
