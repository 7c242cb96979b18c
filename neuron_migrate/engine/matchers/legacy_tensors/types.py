"""What becomes of one occurrence of a legacy tensor type, by what it is used for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import edits, names, templates
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.matchers.legacy_tensors import constructors
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.patterns import LegacyTensorMatch
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.finding import Edit

_DEFAULT = "torch.set_default_tensor_type"
Change = tuple[cst.CSTNode, cst.CSTNode]


class LegacyType:
    """One occurrence of such a type."""

    def __init__(
        self,
        rule: Rule,
        pattern: LegacyTensorMatch,
        node: cst.BaseExpression,
        path: str,
        here: Here,
    ) -> None:
        self.rule = rule
        self.pattern = pattern
        self.node = node
        self.path = path
        self.dtype = pattern.types[path]
        self.here = here
        neuron = here.target == "neuron"
        self.device = pattern.neuron if neuron else pattern.accelerator
        self.kind = pattern.neuron_type if neuron else pattern.accelerator_type

    def report(self) -> Draft | None:
        """Report it by what it is used for."""
        here, node = self.here, self.node
        parent = here.parent(node)
        call = here.parent(parent) if isinstance(parent, cst.Arg) else None
        if isinstance(call, cst.Call):
            if here.path(call.func) == _DEFAULT:
                return self._default(call)
            if _is_cast(call, parent):
                return self._cast(call)
        if isinstance(node, cst.SimpleString):
            return self._text()
        if isinstance(parent, cst.Call) and parent.func is node:
            return self._constructor(parent)
        if isinstance(call, cst.Call) and here.source(call.func) == "isinstance":
            return self._instance(call)
        if any(isinstance(outer, cst.Annotation) for outer in here.ancestors(node)):
            return self._replace(node, "torch.Tensor")
        if isinstance(parent, cst.Assign):
            return self._assigned(parent)
        return self._left("the type is a value here, so what it is used for is not seen")

    def _constructor(self, call: cst.Call) -> Draft:
        made, reason = constructors.template(call, self.here)
        if made is None:
            return self._left(reason)
        template = f"{made}, dtype={self.dtype}, device={self.device})"
        return self._replace(call, template, call.args)

    def _default(self, call: cst.Call) -> Draft:
        if self.dtype == self.pattern.default:
            return self._replace(call, f"torch.set_default_device({self.device})")
        return self._left(
            f"it takes two statements: set_default_device and set_default_dtype({self.dtype})"
        )

    def _cast(self, call: cst.Call) -> Draft | None:
        if isinstance(self.node, cst.Name) and self._casts(self.node.value):
            return None  # what the name is given says it
        changed, needed = self._moved(call, self.dtype, self.here)
        return self._emit([(call, changed)], needed)

    def _moved(
        self, call: cst.Call, dtype: str, here: Here
    ) -> tuple[cst.BaseExpression, list[Edit]]:
        """``x.type(…)`` as ``x.to(device, dtype)``."""
        assert isinstance(call.func, cst.Attribute)
        first = cst.Arg(value=cst.Name("_"))
        new, needed = here.build(f"_.to({self.device}, {dtype})", args=[first])
        assert isinstance(new, cst.Call)
        func = call.func.with_changes(attr=cst.Name("to"))
        rest = [arg for arg in call.args[1:] if arg.keyword is not None]
        args = list(new.args)
        if rest:
            comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            args = [*args[:-1], args[-1].with_changes(comma=comma), *rest]
        return call.with_changes(func=func, args=args), needed

    def _instance(self, call: cst.Call) -> Draft:
        subject = call.args[0].value
        if len(call.args) != 2 or call.args[1].value is not self.node or not _is_simple(subject):
            return self._left("only one type and a plain name for the object are rewritten")
        template = (
            "isinstance({0}, torch.Tensor) and {0}.device.type == "
            f"{self.kind} and {{0}}.dtype == {self.dtype}"
        )
        draft = self._replace(call, template, [call.args[0]])
        draft.test = (self.here.piece, call)
        return draft

    def _assigned(self, assignment: cst.Assign) -> Draft:
        """``dtype = torch.cuda.LongTensor`` where all that is done with it is ``x.type(dtype)``."""
        target = assignment.targets[0].target
        reason = "not every use of the name is a cast with `.type()`"
        if len(assignment.targets) != 1 or not isinstance(target, cst.Name):
            return self._left(reason)
        casts = self._casts(target.value)
        if casts is None:
            return self._left(reason)
        new, needed = self.here.build(self.dtype)
        for there, call in casts:
            moved, more = self._moved(call, target.value, there)
            needed += [*edits.node_edits(there.piece, call, moved), *more]
        return self._emit([(self.node, new)], needed)

    def _casts(self, name: str) -> list[tuple[Here, cst.Call]] | None:
        """The calls ``x.type(name)``, or None when there are none or other uses too."""
        file = self.here.file
        bindings = names.lookup(name, self.here.scope)
        if any(binding.kind != "assign" for binding in bindings):
            return None
        found: list[tuple[Here, cst.Call]] = []
        for piece, use in file.uses(name, bindings[0].scope) if len(bindings) == 1 else ():
            there = Here(file, piece)
            arg = there.parent(use)
            call = there.parent(arg) if isinstance(arg, cst.Arg) else None
            if not isinstance(call, cst.Call) or not _is_cast(call, arg):
                return None
            found.append((there, call))
        return found or None

    def _text(self) -> Draft | None:
        """A string that names the type: what ``x.type()`` gives is another one on Neuron."""
        for outer in self.here.ancestors(self.node):
            if isinstance(outer, (cst.Comparison, cst.Subscript)) or self._takes_types(outer):
                break
            if isinstance(outer, (cst.Raise, cst.Assert, cst.Annotation, cst.Expr, cst.Call)):
                return None
        draft = self._left("compare `x.dtype` and `x.device.type` instead of type names")
        draft.risk = Risk.WRONG
        return draft

    def _takes_types(self, call: cst.CSTNode) -> bool:
        if not isinstance(call, cst.Call):
            return False
        method = isinstance(call.func, cst.Attribute) and call.func.attr.value == "type"
        return method or self.here.path(call.func) == _DEFAULT

    def _replace(
        self, old: cst.BaseExpression, template: str, args: Sequence[cst.Arg] = ()
    ) -> Draft:
        here = self.here
        numbered = {str(index): arg.value for index, arg in enumerate(args)}
        new, needed = here.build(template, args=args, nodes=numbered)
        new = templates.parenthesize_for(new, old, here.parent(old))
        return self._emit([(old, new)], needed)

    def _emit(self, changes: list[Change], needed: list[Edit]) -> Draft:
        return self.here.report(
            self.rule, self.node, f"`{self.path}`.", changes=changes, extra=needed
        )

    def _left(self, reason: str) -> Draft:
        return self.here.report(self.rule, self.node, f"`{self.path}`.", not_fixed=reason)


def _is_cast(call: cst.Call, arg: cst.CSTNode | None) -> bool:
    return (
        isinstance(call.func, cst.Attribute)
        and call.func.attr.value == "type"
        and bool(call.args)
        and call.args[0] is arg
        and all(each.keyword is not None and not each.star for each in call.args[1:])
    )


def _is_simple(node: cst.BaseExpression) -> bool:
    """True for what can be written twice: names and attributes."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)
