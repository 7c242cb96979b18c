"""What moves together: the names of one import statement, and those that a rule groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.engine.matchers.moved.statements import Name, moved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.finding import Safety


def report(found: Sequence[Name]) -> None:
    """Report every imported name: as it moves, or why it does not."""
    _hold_together(found)
    for name in found:
        if name.reason is not None:
            name.report_stuck()
    for cluster in _clusters([name for name in found if name.reason is None]):
        statements: dict[int, list[Name]] = {}
        for name in cluster:
            statements.setdefault(id(name.statement), []).append(name)
        _bind([draft for each in statements.values() for draft in moved(each)])


def _hold_together(found: Sequence[Name]) -> None:
    """A name that cannot move holds those that belong to it."""
    held = [name for name in found if name.reason is not None]
    for name in found:
        holder = next((each for each in held if name.belongs_to(each)), None)
        if holder is not None and name.reason is None:
            name.reason = f"`{holder.entry.name.name}`, which belongs to it, cannot be rewritten"


def _clusters(moving: Sequence[Name]) -> list[list[Name]]:
    """The names that change in one step: joined by a statement or by a group."""
    clusters: list[list[Name]] = []
    for name in moving:
        near = [each for each in clusters if any(_is_near(name, other) for other in each)]
        clusters = [each for each in clusters if each not in near]
        clusters.append([other for each in near for other in each] + [name])
    return clusters


def _is_near(one: Name, other: Name) -> bool:
    return one.statement is other.statement or one.belongs_to(other)


def _bind(drafts: Sequence[Draft]) -> None:
    """Every finding carries all edits, so that a pass applies all of them or none."""
    if any(draft.fix is None for draft in drafts):
        for draft in drafts:
            draft.fix, draft.edits = None, []
        return
    worst: Safety = "unsafe" if any(draft.fix == "unsafe" for draft in drafts) else "safe"
    edits = sorted({edit for draft in drafts for edit in draft.edits})
    reasons = dict.fromkeys(draft.not_fixed for draft in drafts if draft.not_fixed)
    for draft in drafts:
        draft.fix, draft.edits = worst, list(edits)
        draft.not_fixed = "; ".join(reasons) or None
