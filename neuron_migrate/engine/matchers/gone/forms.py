"""One way in which a name may be used, held against a use of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import templates
from neuron_migrate.engine.matchers.gone import blocks, processes
from neuron_migrate.engine.matchers.gone.bound import Bound
from neuron_migrate.engine.matchers.gone.groups import ProcessGroup
from neuron_migrate.engine.moved_arguments import MisfitError

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import GoneForm, GoneName
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit, Safety

_IN_A_GROUP = frozenset({"group", "torchrun"})


@dataclass(frozen=True)
class Fit:
    """A use, the entry that knows it, and the form that it may have."""

    here: Here
    node: cst.BaseExpression
    entry: GoneName
    form: GoneForm

    def applies(self) -> bool:
        """True when the use has this form and something stands in its place.

        Raises MisfitError when it has the form, but cannot be rewritten.
        """
        form = self.form
        if not (self.writes or form.reason):
            return False
        if not self._has_form():
            return False
        if not self.writes:
            return True
        if self._is_template_of_a_call and self.call is None:
            raise MisfitError("it is not called here")
        self._check_place()
        self._check_file()
        if self._is_template_of_a_call or form.unwrap:
            self.bound.check(form, self.template or "")
        return True

    def report(self, rule: Rule, text: str, safety: Safety) -> Draft:
        """Report the use with its fix.

        Raises MisfitError when it turns out that it cannot be rewritten.
        """
        form, here = self.form, self.here
        if not self.writes:
            return here.report(rule, self.node, text, not_fixed=form.reason)
        doubt = self._doubt()
        safety = "unsafe" if doubt is not None or form.safety == "unsafe" else safety
        if form.drop:
            return here.report_removal(rule, self.node, text + self._lost, safety=safety)
        if form.unwrap:
            return self._report_edits(rule, text + self._lost, safety)
        old, new, needed = self._rewritten()
        reasons = [doubt, form.reason] if safety == "unsafe" else []
        return here.report(
            rule,
            self.node,
            text,
            changes=[(old, new)],
            extra=needed,
            safety=safety,
            not_fixed="; ".join(filter(None, reasons)) or None,
        )

    @property
    def translated(self) -> list[cst.BaseExpression]:
        """The arguments that something else is written for.

        Raises MisfitError when it cannot be seen what the call is given.
        """
        if self.call is None or not self.form.values:
            return []
        named = self.bound.named
        return [named[name].value for name in self.form.values if name in named]

    @property
    def template(self) -> str | None:
        """What takes the place, for the target."""
        form = self.form
        return form.neuron if self.here.target == "neuron" else form.accelerator

    @property
    def call(self) -> cst.Call | None:
        """The call of the name, if it is called."""
        parent = self.here.parent(self.node)
        return parent if isinstance(parent, cst.Call) and parent.func is self.node else None

    @cached_property
    def bound(self) -> Bound:
        """The arguments of the call."""
        assert self.call is not None
        return Bound(self.entry, self.call, self.here)

    @property
    def writes(self) -> bool:
        """True when something takes the place of the use."""
        form = self.form
        return bool(form.drop or form.unwrap or form.neuron or form.accelerator)

    @property
    def _lost(self) -> str:
        """What a call that goes was given, for the message."""
        args = self.call.args if self.call is not None else ()
        plain = [arg.with_changes(comma=cst.MaybeSentinel.DEFAULT) for arg in args]
        given = ", ".join(self.here.source(arg).strip() for arg in plain)
        return f" It was given `{given}`." if given else ""

    def _has_form(self) -> bool:
        """True when the call is made in the way that the form speaks about."""
        form, call = self.form, self.call
        if call is None:
            return not form.given and form.place == "any"
        if form.place == "statement" and not isinstance(self.here.parent(call), cst.Expr):
            return False
        if form.place == "update" and self._updated() is None:
            return False
        return not form.given or self.bound.holds(form.given)

    def _updated(self) -> cst.Assign | None:
        """The assignment of the call's value to the variable that it is given."""
        outer = self.here.parent(self.call) if self.call is not None else None
        given = self.bound.named.get(self.form.in_place or "")
        if not isinstance(outer, cst.Assign) or len(outer.targets) > 1 or given is None:
            return None
        target = outer.targets[0].target
        same = isinstance(target, cst.Name) and target.deep_equals(given.value)
        return outer if same else None

    @property
    def _is_template_of_a_call(self) -> bool:
        template = self.form.neuron or self.form.accelerator or ""
        return "(" in template or "{" in template or self.form.drop

    def _check_place(self) -> None:
        """Raise MisfitError where the form needs a statement, and this is a part of one."""
        form = self.form
        outer = self.here.parent(self.call) if self.call is not None else None
        if form.unwrap:
            if not isinstance(outer, cst.WithItem):
                raise MisfitError("it is not what a `with` statement holds")
        elif form.drop or form.under is not None:
            if not isinstance(outer, cst.Expr):
                raise MisfitError("its value is used")
        elif self.template is None:
            raise MisfitError("there is no device-neutral form")

    def _check_file(self) -> None:
        """Raise MisfitError when the file is no place for the rewrite."""
        form, code = self.form, self.here.file.code
        several = processes.several(code) if form.processes == "one" else None
        beside = several or next((word for word in form.unless_beside if _has(word, code)), None)
        if beside is not None and form.reason is not None:
            raise MisfitError(form.reason)
        if beside is not None:
            raise MisfitError(f"`{beside}` in the file says that several processes take part")
        grouped = form.processes not in _IN_A_GROUP or _has("init_process_group", code)
        if not grouped or (
            form.only_beside and not any(_has(word, code) for word in form.only_beside)
        ):
            raise MisfitError("nothing in the file says that there is a process group")
        if form.processes == "group" and self._group.comes_after(self.here.piece.statement):
            raise MisfitError("the process group is set up after it, and has no ranks until then")

    def _doubt(self) -> str | None:
        """Why a person should look at the rewrite here."""
        form, file = self.form, self.here.file
        if form.processes in _IN_A_GROUP:
            return self._doubt_about_group()
        if form.processes != "one" or self.here.scope.kind == "module":
            return None
        if processes.is_program(file.code):
            return None
        return "the file does not say in how many processes it runs"

    def _doubt_about_group(self) -> str | None:
        if not self._group.is_sure:
            return "the process group is set up under a condition only"
        needed = self.form.processes == "group"
        if needed and not self._group.comes_first(self.here.piece.statement):
            return "it is not seen that the process group is set up before it"
        return None

    @cached_property
    def _group(self) -> ProcessGroup:
        return ProcessGroup(self.here.file)

    def _rewritten(self) -> tuple[cst.CSTNode, cst.BaseExpression, list[Edit]]:
        """What is replaced, what by, and the edits that needs elsewhere."""
        template, call, here = self.template, self.call, self.here
        assert template is not None
        if call is None or not self._is_template_of_a_call:
            return self.node, *here.build(template)
        new, needed = self.bound.filled(self.form, template)
        if self.form.under is not None:
            test, imports = here.build(self.form.under)
            same = isinstance(new, cst.Call) and len(new.args) == len(call.args)
            moved = blocks.under(here.file, here.piece.statement, here.source(test), whole=same)
            needed += [*imports, *moved]
        if self.form.place == "update" and (whole := self._updated()) is not None:
            return whole, new, needed
        return call, templates.parenthesize_for(new, call, here.parent(call)), needed

    def _report_edits(self, rule: Rule, text: str, safety: Safety) -> Draft:
        made = blocks.unwrapped(self.here.file, self.here.piece.statement)
        draft = self.here.report(rule, self.node, text)
        if draft.hidden:
            draft.withheld = safety
        else:
            draft.edits, draft.fix = made, safety
        return draft


def _has(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None
