"""Uses of what a package that is gone holds: rewritten, or reported with what takes their place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import removal, templates

if TYPE_CHECKING:
    from neuron_migrate.catalog.patterns import GoneName
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Edit, Safety


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A reference to something in such a package."""

    here: Here
    node: cst.BaseExpression
    path: str
    known: tuple[Rule, GoneName] | None

    @property
    def call(self) -> cst.Call | None:
        """The call of it, if it is called."""
        parent = self.here.parent(self.node)
        return parent if isinstance(parent, cst.Call) and parent.func is self.node else None


def report_use(use: Use, known: tuple[Rule, GoneName], safety: Safety) -> Draft:
    """Report a use of a known name, rewritten where that is exact."""
    rule, entry = known
    here, call = use.here, use.call
    text = f"`{entry.name}`: {entry.note}" if entry.note else f"`{entry.name}`."
    reason = _why_not(entry, here)
    if entry.drop and call is not None and not call.args and reason is None:
        if isinstance(here.parent(call), cst.Expr):
            return here.report_removal(rule, use.node, text, safety=safety)
        reason = "its value is used"
    template = entry.neuron if here.target == "neuron" else entry.accelerator
    if template is not None and reason is None and "(" in template:
        reason = _misfit(template, call)
    if template is None or reason is not None:
        return here.report(rule, use.node, text, not_fixed=reason)
    old, new, needed = _rewritten(use, template)
    return here.report(rule, use.node, text, changes=[(old, new)], extra=needed, safety=safety)


def goes(file: File, draft: Draft) -> bool:
    """True when the fix of a use is sure to be applied."""
    if draft.removes is not None and removal.has_comment(file, draft.removes):
        return False
    return draft.fix == "safe"


def _rewritten(
    use: Use, template: str
) -> tuple[cst.BaseExpression, cst.BaseExpression, list[Edit]]:
    """What is replaced, what by, and the imports that needs."""
    here, call = use.here, use.call
    if "(" not in template or call is None:
        return use.node, *here.build(template)
    nodes = {str(index): _atom(arg.value) for index, arg in enumerate(call.args)}
    new, needed = here.build(template, nodes=nodes)
    return call, templates.parenthesize_for(new, call, here.parent(call)), needed


def _misfit(template: str, call: cst.Call | None) -> str | None:
    """Why a template for a call does not fit here."""
    if call is None:
        return "it is not called here"
    wanted = set(re.findall(r"\{(\d+)\}", template))
    if len(call.args) > len(wanted) or any(arg.star or arg.keyword for arg in call.args):
        return "its arguments have no place there"
    return "an argument is missing" if len(call.args) < len(wanted) else None


def _why_not(entry: GoneName, here: Here) -> str | None:
    """Why the file is no place for the rewrite."""
    text = here.file.text
    beside = next((word for word in entry.unless_beside if _has(word, text)), None)
    if beside is not None:
        return f"`{beside}` in the file says that several processes take part"
    if entry.only_beside and not any(_has(word, text) for word in entry.only_beside):
        return "nothing in the file says that there is a process group"
    return None


def _has(word: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(word)}\b", text) is not None


def _atom(node: cst.BaseExpression) -> cst.BaseExpression:
    """The node, in parentheses unless an attribute can follow it as it is."""
    if isinstance(node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
