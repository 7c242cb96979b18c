"""Uses of what a package that is gone holds: rewritten, or reported with what takes their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine import removal
from neuron_migrate.engine.matchers.gone.forms import Fit
from neuron_migrate.engine.moved_arguments import MisfitError

if TYPE_CHECKING:
    import libcst as cst

    from neuron_migrate.catalog.patterns import GoneName
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Safety


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """A reference to something in such a package."""

    here: Here
    node: cst.BaseExpression
    path: str
    rule: Rule
    known: GoneName | None


def report_unknown(use: Use, way: str) -> Draft:
    """Report a use of a name that only its package says something about."""
    reason = "what replaces it is a decision"
    return use.here.report(use.rule, use.node, f"`{use.path}`: {way}", not_fixed=reason)


def report_use(use: Use, entry: GoneName, safety: Safety) -> tuple[Draft, list[cst.BaseExpression]]:
    """Report a use of a known name, rewritten where that is exact.

    Also the expressions in it that the rewrite takes along.
    """
    rule = use.rule
    text = f"`{use.path}`: {entry.note}" if entry.note else f"`{use.path}`."
    problem: str | None = None
    for form in (*entry.forms, entry):
        fit = Fit(use.here, use.node, entry, form)
        try:
            if fit.applies() and (fit.writes or problem is None):
                draft = fit.report(rule, text, safety)
                return draft, fit.translated if draft.fix else []
        except MisfitError as misfit:
            problem = problem or str(misfit)
    return use.here.report(rule, use.node, text, not_fixed=problem), []


def goes(file: File, draft: Draft) -> bool:
    """True when the fix of a use is sure to be applied."""
    if draft.removes is not None and removal.has_comment(file, draft.removes):
        return False
    return draft.fix == "safe"
