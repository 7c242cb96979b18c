"""What becomes of the uses of a model class that another one takes the place of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import MovedClassMatch
from neuron_migrate.engine import arguments, names
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.meaning import string_value

if TYPE_CHECKING:
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.finding import Edit, Safety

_Change = tuple[cst.CSTNode, cst.CSTNode]


@dataclass(frozen=True, slots=True, eq=False)
class MovedClass:
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
class Plan:
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


def plans(file: File, each: MovedClass) -> list[Plan]:
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


def _plan(each: MovedClass, node: cst.Name, here: Here) -> Plan:
    parent = here.parent(node)
    if not isinstance(parent, cst.Attribute):
        plan = Plan(here, node, changes=_renamed(each, node))
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
    return Plan(here, parent, reason=f"`{parent.attr.value}` has no counterpart that is known")


def _is_only_named(node: cst.Name, here: Here) -> bool:
    """True in an annotation or a type test, where the class is not used to load anything."""
    for outer in here.ancestors(node):
        if isinstance(outer, cst.Annotation):
            return True
        if isinstance(outer, cst.Call) and isinstance(outer.func, cst.Name):
            return outer.func.value in {"isinstance", "issubclass", "cast"}
    return False


def _renamed(each: MovedClass, node: cst.Name) -> list[_Change]:
    if each.new_local == node.value:
        return []
    return [(node, node.with_changes(value=each.new_local))]


def _load(each: MovedClass, node: cst.Name, call: cst.Call, here: Here) -> Plan:
    """``from_pretrained`` without what the compiler wanted to know, on the device."""
    pattern = each.pattern
    plan = Plan(here, call.func, changes=_renamed(each, node))
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
                f"`{here.source(arg.with_changes(comma=cst.MaybeSentinel.DEFAULT)).strip()}`"
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
    args: list[cst.Arg], arg: cst.Arg, pattern: MovedClassMatch, plan: Plan
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
