"""Model classes of a package that is gone, whose place a class of another package takes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import MovedClassMatch
from neuron_migrate.engine import arguments, names
from neuron_migrate.engine.context import Here
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.matchers.import_lines import dotted
from neuron_migrate.engine.meaning import string_value
from neuron_migrate.finding import Edit, Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import Draft, File
    from neuron_migrate.finding import Safety

_Change = tuple[cst.CSTNode, cst.CSTNode]
_NO_COMMA = cst.MaybeSentinel.DEFAULT


@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """A class of the catalog that the file imports."""

    rule: Rule
    here: Here
    node: cst.ImportFrom
    alias: cst.ImportAlias
    path: str
    local: str

    @property
    def pattern(self) -> MovedClassMatch:
        match = self.rule.match
        assert isinstance(match, MovedClassMatch)
        return match

    @property
    def home(self) -> str:
        return self.pattern.classes[self.path]

    @property
    def new_local(self) -> str:
        """What the class is called in this file afterwards."""
        return self.local if self.alias.asname else self.home.rpartition(".")[2]


@dataclass(slots=True)
class _Plan:
    """What one use of the class becomes."""

    here: Here
    node: cst.CSTNode
    changes: list[_Change] = field(default_factory=list)
    extra: list[Edit] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    reason: str | None = None
    """Why it cannot be rewritten."""
    doubt: str | None = None
    """Why the rewrite is unsafe."""
    safety: Safety = "safe"

    @property
    def text(self) -> str:
        """What goes with the compiler, for the message."""
        return f"Dropped: {'; '.join(self.dropped)}." if self.dropped else ""


class MovedClasses:
    """Matches rules of kind ``moved-class``."""

    nodes = (cst.ImportFrom,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.classes: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, MovedClassMatch)
            self.classes.update(dict.fromkeys(rule.match.classes, rule))
        self.found: list[_Class] = []

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note an import of one of the classes."""
        assert isinstance(node, cst.ImportFrom)
        if node.relative or isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            path = f"{dotted(node.module)}.{dotted(alias.name)}"
            rule = self.classes.get(path)
            if rule is not None:
                here.file.claimed.add(alias)
                local = dotted(alias.asname.name if alias.asname else alias.name)
                self.found.append(_Class(rule, here, node, alias, path, local))

    def finish(self, file: File) -> None:
        """Report every imported class and its uses, one import statement at a time."""
        found, self.found = self.found, []
        for first in found:
            together = [each for each in found if each.node is first.node]
            if first is not together[0]:
                continue
            guard = fallback(first.here.piece.statement)
            if guard is None or not guard.certain:
                _report(file, together)
                continue
            for each in together:
                reason = f"the import is {guard.how}"
                each.here.report(each.rule, each.alias, risk=Risk.INFO, not_fixed=reason)


def _report(file: File, classes: Sequence[_Class]) -> None:
    """The import and all uses of its classes are rewritten together; what cannot be is reported."""
    plans = {each.alias: _plans(file, each) for each in classes}
    stuck = {
        each.alias: reason
        for each in classes
        if (reason := _name_taken(each) or _first_reason(plans[each.alias])) is not None
    }
    for each in classes:
        if (reason := stuck.get(each.alias)) is not None:
            each.here.report(each.rule, each.alias, _becomes(each), not_fixed=reason)
            for plan in plans[each.alias]:
                plan.here.report(each.rule, plan.node, plan.text, not_fixed=plan.reason or reason)
    moving = [each for each in classes if each.alias not in stuck]
    if not moving:
        return
    statement, extra = _moved_import(moving)
    drafts: list[Draft] = []
    for each in moving:
        change = (each.node, statement)
        drafts.append(
            each.here.report(each.rule, each.alias, _becomes(each), changes=[change], extra=extra)
        )
        drafts += [
            plan.here.report(
                each.rule,
                plan.node,
                plan.text,
                changes=plan.changes,
                extra=plan.extra,
                safety=plan.safety,
                not_fixed=plan.doubt,
            )
            for plan in plans[each.alias]
            if plan.changes
        ]
    _bind_together(drafts)


def _bind_together(drafts: Sequence[Draft]) -> None:
    """Every finding carries all edits, so that a pass applies all of them or none."""
    if any(draft.fix is None for draft in drafts):
        for draft in drafts:
            draft.fix, draft.edits = None, []
        return
    worst: Safety = "unsafe" if any(draft.fix == "unsafe" for draft in drafts) else "safe"
    edits = sorted({edit for draft in drafts for edit in draft.edits})
    reason = next((draft.not_fixed for draft in drafts if draft.not_fixed), None)
    for draft in drafts:
        draft.fix, draft.edits, draft.not_fixed = worst, list(edits), reason


def _becomes(each: _Class) -> str:
    return f"`{each.path.rpartition('.')[2]}` becomes `{each.home}`."


def _name_taken(each: _Class) -> str | None:
    if each.new_local == each.local:
        return None
    others = names.lookup(each.new_local, each.here.scope)
    if any(other.target != each.home for other in others):
        return f"`{each.new_local}` already means something else in the file"
    return None


def _first_reason(plans: Sequence[_Plan]) -> str | None:
    return next((plan.reason for plan in plans if plan.reason), None)


def _plans(file: File, each: _Class) -> list[_Plan]:
    """What becomes of every read of the class."""
    bindings = [
        binding
        for binding in names.lookup(each.local, each.here.scope)
        if binding.statement is each.here.piece.statement
    ]
    if not bindings:
        return []
    return [
        _plan(each, node, Here(file, piece))
        for piece, node in file.uses(each.local, bindings[0].scope)
    ]


def _plan(each: _Class, node: cst.Name, here: Here) -> _Plan:
    parent = here.parent(node)
    if not isinstance(parent, cst.Attribute):
        plan = _Plan(here, node, changes=_renamed(each, node))
        if not _is_only_named(node, here):
            plan.safety, plan.doubt = "unsafe", "the class is handed on, to a use that is not seen"
        return plan
    call = here.parent(parent)
    if (
        parent.attr.value == "from_pretrained"
        and isinstance(call, cst.Call)
        and call.func is parent
    ):
        return _load(each, node, call, here)
    return _Plan(here, parent, reason=f"`{parent.attr.value}` has no counterpart that is known")


def _is_only_named(node: cst.Name, here: Here) -> bool:
    """True in an annotation or a type test, where the class is not used to load anything."""
    for outer in here.ancestors(node):
        if isinstance(outer, cst.Annotation):
            return True
        if isinstance(outer, cst.Call) and isinstance(outer.func, cst.Name):
            return outer.func.value in {"isinstance", "issubclass", "cast"}
    return False


def _renamed(each: _Class, node: cst.Name) -> list[_Change]:
    if each.new_local == node.value:
        return []
    return [(node, node.with_changes(value=each.new_local))]


def _load(each: _Class, node: cst.Name, call: cst.Call, here: Here) -> _Plan:
    """``from_pretrained`` without what the compiler wanted to know, on the device."""
    pattern = each.pattern
    plan = _Plan(here, call.func, changes=_renamed(each, node))
    if arguments.has_splat(call):
        plan.reason = "`**` may hold arguments of the compiler"
    elif len([arg for arg in call.args if arg.keyword is None]) > 1:
        plan.reason = "an argument of the compiler is given by position"
    args = list(call.args)
    for arg in call.args:
        name = arg.keyword.value if arg.keyword else ""
        if name == "auto_cast_type":
            args = _with_type(args, arg, pattern, plan)
        elif name in pattern.compile_time:
            args = arguments.remove(args, arg)
            plan.dropped.append(
                f"`{here.source(arg.with_changes(comma=_NO_COMMA)).strip()}`"
                f" {pattern.compile_time[name]}"
            )
    for needed in pattern.needs:
        if arguments.keyword(call, needed) is None:
            plan.safety = "unsafe"
            plan.doubt = f"without `{needed}=` the checkpoint may be a compiled one"
    if arguments.keyword(call, "device_map") is None:
        template = pattern.neuron if here.target == "neuron" else pattern.accelerator
        value, needed_imports = here.build(template)
        args = arguments.add(args, "device_map", value, call)
        plan.extra += needed_imports
    plan.changes.append((call, call.with_changes(args=args)))
    return plan


def _with_type(
    args: list[cst.Arg], arg: cst.Arg, pattern: MovedClassMatch, plan: _Plan
) -> list[cst.Arg]:
    """``auto_cast_type="bf16"`` is the type to load the weights in."""
    given = any(each.keyword and each.keyword.value in {"dtype", "torch_dtype"} for each in args)
    template = pattern.types.get(string_value(arg.value) or "")
    if given or template is None:
        plan.dropped.append(f"`auto_cast_type={plan.here.source(arg.value)}`")
        return arguments.remove(args, arg)
    value, needed = plan.here.build(template)
    plan.extra += needed
    new = arg.with_changes(keyword=cst.Name("dtype"), value=value)
    return [new if each is arg else each for each in args]


def _moved_import(classes: Sequence[_Class]) -> tuple[cst.ImportFrom, list[Edit]]:
    """The statement without the classes, and the lines that import what takes their place."""
    first = classes[0]
    moved = {each.alias: _new_alias(each) for each in classes}
    modules = {each.home.rpartition(".")[0] for each in classes}
    aliases = first.node.names
    assert not isinstance(aliases, cst.ImportStar)
    if len(moved) == len(aliases) and len(modules) == 1:
        module = cst.parse_expression(modules.pop())
        renamed = [moved[alias] for alias in aliases]
        return first.node.with_changes(module=module, names=renamed), []
    kept = [alias for alias in aliases if alias not in moved]
    lines: list[str] = []
    for module_name in sorted(modules):
        wanted = [
            first.here.source(moved[each.alias].with_changes(comma=_NO_COMMA))
            for each in classes
            if each.home.rpartition(".")[0] == module_name
        ]
        lines.append(f"from {module_name} import {', '.join(wanted)}")
    if not kept:
        return _several_modules(first, lines)
    kept[-1] = kept[-1].with_changes(comma=aliases[-1].comma)
    return first.node.with_changes(names=kept), [_line_after(first.here, line) for line in lines]


def _several_modules(first: _Class, lines: list[str]) -> tuple[cst.ImportFrom, list[Edit]]:
    """All names part, to more than one module: the statement becomes the first of the lines."""
    statement = cst.parse_statement(lines[0])
    assert isinstance(statement, cst.SimpleStatementLine)
    new = statement.body[0]
    assert isinstance(new, cst.ImportFrom)
    return new, [_line_after(first.here, line) for line in lines[1:]]


def _new_alias(each: _Class) -> cst.ImportAlias:
    return each.alias.with_changes(name=cst.Name(each.home.rpartition(".")[2]))


def _line_after(here: Here, line: str) -> Edit:
    file, statement = here.file, here.piece.statement
    place = file.lines.next_line(getattr(statement.node, "end_lineno", statement.start[0]))
    start = file.lines.offset(statement.start[0], 1)
    indentation = file.text[start : here.piece.start]
    return Edit(place, place, f"{indentation}{line}{file.lines.newline}")
