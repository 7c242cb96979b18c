"""What becomes of the uses of a name that moved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names, templates
from neuron_migrate.engine.matchers.moved.calls import Passage
from neuron_migrate.engine.matchers.moved.later import given_to_calls

if TYPE_CHECKING:
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.matchers.moved.entries import Reference
    from neuron_migrate.finding import Edit

_NAMES_ONLY = frozenset({"isinstance", "issubclass", "cast"})


@dataclass(slots=True)
class Plan:
    """What one use becomes."""

    reference: Reference
    anchor: cst.CSTNode
    changes: list[tuple[cst.CSTNode, cst.CSTNode]] = field(default_factory=list)
    extra: list[Edit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)

    def report(self, reason: str | None = None) -> Draft:
        """Report the use; ``reason`` is why it is not rewritten although it could be."""
        text = " ".join([self.reference.entry.becomes, *self._told])
        why = "; ".join(self.reasons) or reason
        return self.reference.here.report(
            self.reference.entry.rule,
            self.anchor,
            text,
            changes=() if why else self.changes,
            extra=self.extra,
            safety="unsafe" if self.doubts else "safe",
            not_fixed=why or "; ".join(self.doubts) or None,
        )

    @property
    def _told(self) -> list[str]:
        return [f"{'; '.join(self.notes)}."] if self.notes else []


def plan(reference: Reference) -> Plan:
    """What becomes of one use."""
    here, node, pattern = reference.here, reference.node, reference.entry.pattern
    parent = here.parent(node)
    made = Plan(reference, node)
    if reference.entry.name.safety == "unsafe":
        made.doubts.append(reference.entry.name.note.rstrip("."))
    if reference.local is not None and _is_hidden(reference):
        made.reasons.append(f"`{reference.local}` means something else here")
    if pattern.same:
        _rename(made)
        if reference.local is None and reference.entry.name.to.count(".") > 1:
            made.reasons.append("the new name has to be imported from its module")
    elif isinstance(parent, cst.Attribute):
        made.anchor = parent
        _attribute(made, parent)
    elif isinstance(parent, cst.Call) and parent.func is node:
        if pattern.called:
            _call(made, parent, parent)
        else:
            made.reasons.append("its constructor has no counterpart that is known")
    elif isinstance(parent, cst.Arg) and isinstance(here.parent(parent), cst.ClassDef):
        made.reasons.append(f"derive from `{reference.entry.name.to}` and check every override")
    else:
        _rename(made)
        if not _is_only_named(reference):
            made.doubts.append(pattern.handed or "it is handed on, to a use that is not seen")
    return made


def _attribute(made: Plan, attribute: cst.Attribute) -> None:
    pattern, here = made.reference.entry.pattern, made.reference.here
    name, call = attribute.attr.value, here.parent(attribute)
    if name in pattern.methods and isinstance(call, cst.Call) and call.func is attribute:
        _call(made, call, attribute)
    elif pattern.alike:
        _rename(made)
    else:
        note = pattern.attributes.get(name, "has no counterpart that is known")
        made.reasons.append(f"`{name}` {note}")


def _call(made: Plan, call: cst.Call, func: cst.CSTNode) -> None:
    """The call with the arguments that it may keep, of the new name."""
    pattern, here = made.reference.entry.pattern, made.reference.here
    passage = Passage(call, made.reference.entry, here)
    passage.go()
    made.notes += passage.notes
    made.reasons += passage.reasons
    made.doubts += passage.doubts
    _give_later(made, passage)
    name, needed = made.reference.renamed()
    made.extra += [*passage.extra, *needed]
    new_func = name
    if isinstance(func, cst.Attribute) and not pattern.constructs:
        new_func = func.with_changes(value=name)
    new: cst.BaseExpression = call.with_changes(func=new_func, args=passage.args)
    template = getattr(pattern, here.target)
    if template is not None:
        new, needed = here.build(template, nodes={"self": new})
        new = templates.parenthesize_for(new, call, here.parent(call))
        made.extra += needed
    if not new.deep_equals(call):
        made.changes.append((call, new))


def _give_later(made: Plan, passage: Passage) -> None:
    """What was compiled in goes to the calls of the object, where all of them are seen."""
    if not passage.later:
        return
    found = given_to_calls(passage.call, passage.later, made.reference.here)
    if found is None:
        what = ", ".join(f"`{name}`" for name in passage.later)
        made.doubts.append(f"not every call that must be given {what} now is seen")
    else:
        made.extra += found


def _rename(made: Plan) -> None:
    name, needed = made.reference.renamed()
    made.extra += needed
    if name is not made.reference.node:
        made.changes.append((made.reference.node, name))


def _is_hidden(reference: Reference) -> bool:
    """True where the new name is bound to something else than at the import."""
    assert reference.local is not None
    if isinstance(reference.node, cst.Name) and reference.node.value == reference.local:
        return False
    found = names.lookup(reference.local, reference.here.scope)
    return any(each.target != reference.entry.name.to for each in found)


def _is_only_named(reference: Reference) -> bool:
    """True in an annotation or a type test, where nothing is made of it."""
    for outer in reference.here.ancestors(reference.node):
        if isinstance(outer, cst.Annotation):
            return True
        if isinstance(outer, cst.Call) and isinstance(outer.func, cst.Name):
            return outer.func.value in _NAMES_ONLY
    return False
