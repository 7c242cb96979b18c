"""Model classes of a package that is gone, whose place a class of another package takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import MovedClassMatch
from neuron_migrate.engine import names
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.import_lines import dotted
from neuron_migrate.engine.matchers.moved_classes.imports import moved_import
from neuron_migrate.engine.matchers.moved_classes.uses import MovedClass, Plan, plans
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Safety


class MovedClasses:
    """Matches rules of kind ``moved-class``."""

    nodes = (cst.ImportFrom,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.classes: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, MovedClassMatch)
            self.classes.update(dict.fromkeys(rule.match.classes, rule))
        self.found: list[MovedClass] = []

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
                self.found.append(MovedClass(rule, here, node, alias, path, local))

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


def _report(file: File, classes: Sequence[MovedClass]) -> None:
    """The import and all uses of its classes are rewritten together; what cannot be is reported."""
    uses = {each.alias: plans(file, each) for each in classes}
    stuck = {
        each.alias: reason
        for each in classes
        if (reason := _name_taken(each) or _first_reason(uses[each.alias])) is not None
    }
    for each in classes:
        if (reason := stuck.get(each.alias)) is not None:
            each.here.report(each.rule, each.alias, _becomes(each), not_fixed=reason)
            for plan in uses[each.alias]:
                plan.here.report(each.rule, plan.node, plan.text, not_fixed=plan.reason or reason)
    moving = [each for each in classes if each.alias not in stuck]
    if not moving:
        return
    statement, extra = moved_import(moving)
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
            for plan in uses[each.alias]
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


def _becomes(each: MovedClass) -> str:
    return f"`{each.path.rpartition('.')[2]}` becomes `{each.home}`."


def _name_taken(each: MovedClass) -> str | None:
    if each.new_local == each.local:
        return None
    others = names.lookup(each.new_local, each.here.scope)
    if any(other.target != each.home for other in others):
        return f"`{each.new_local}` already means something else in the file"
    return None


def _first_reason(uses: Sequence[Plan]) -> str | None:
    return next((plan.reason for plan in uses if plan.reason), None)
