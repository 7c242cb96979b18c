"""What becomes of the names of an import statement, reported together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import import_lines
from neuron_migrate.finding import Risk, Safety

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.import_lines import Import
    from neuron_migrate.finding import Confidence, Edit


@dataclass(slots=True, eq=False)
class Fate:
    """What becomes of one name of an import statement."""

    each: Import
    rule: Rule
    message: str
    home: str | None = None
    """Where the name comes from now; None when it is no longer imported."""
    drafts: list[Draft] = field(default_factory=list)
    """The uses whose rewriting makes it superfluous."""
    safety: Safety = "safe"
    risk: Risk | None = None
    confidence: Confidence | None = None


def change(fates: list[Fate]) -> None:
    """One new statement for all names of an import that change; each name has its finding.

    What is safe does not wait for what is not.
    """
    safe = [fate for fate in fates if fate.safety == "safe"]
    if safe and len(safe) < len(fates):
        change(safe)
        fates = [fate for fate in fates if fate.safety == "unsafe"]
    needs = [draft for fate in fates for draft in fate.drafts]
    new, extra = import_lines.changed([(fate.each, fate.home) for fate in fates])
    for fate in fates:
        draft = _report(fate, new, extra)
        draft.risk = Risk.INFO if fate.drafts else fate.risk or draft.risk
        draft.needs = needs


def used_elsewhere(each: Import, nodes: Sequence[cst.BaseExpression]) -> bool:
    """True when the imported name is read in another place than these."""
    known = {id(_root(node)) for node in nodes}
    file = each.here.file
    return any(id(node) not in known for _, node in file.uses(each.local, each.binding.scope))


def _report(fate: Fate, new: cst.CSTNode | None, extra: list[Edit]) -> Draft:
    here, alias = fate.each.here, fate.each.alias
    if new is None:
        return here.report_removal(fate.rule, alias, fate.message, safety=fate.safety)
    return here.report(
        fate.rule,
        alias,
        fate.message,
        changes=[(fate.each.statement, new)],
        extra=extra,
        safety=fate.safety,
        confidence=fate.confidence,
    )


def _root(node: cst.BaseExpression) -> cst.BaseExpression:
    while isinstance(node, cst.Attribute):
        node = node.value
    return node
