"""Import statements of names that moved: they and all uses change together, or nothing does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine import import_lines, names, removal
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.matchers.moved.entries import Reference
from neuron_migrate.engine.matchers.moved.plans import Plan, plan
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import libcst as cst

    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.matchers.moved.entries import Entry, MovedImport
    from neuron_migrate.finding import Edit


@dataclass(slots=True, eq=False)
class Name:
    """One name of a statement, and what becomes of its uses."""

    imported: MovedImport
    entry: Entry
    plans: list[Plan]
    reason: str | None
    """Why it cannot move."""

    @property
    def statement(self) -> cst.CSTNode:
        """The import statement."""
        return self.imported.statement

    def belongs_to(self, other: Name) -> bool:
        """True when neither may move without the other."""
        group = self.entry.pattern.group
        if group and group == other.entry.pattern.group:
            return True
        mine, theirs = self.imported, other.imported
        return mine.local == theirs.local and mine.binding.scope is theirs.binding.scope

    def report_stuck(self) -> None:
        """Report the import and every use as they are."""
        here, entry = self.imported.here, self.entry
        here.report(entry.rule, self.imported.alias, entry.becomes, not_fixed=self.reason)
        for each in self.plans:
            each.report(self.reason)

    def report_guarded(self, how: str) -> None:
        """Report an import that the program survives without."""
        self.imported.here.report(
            self.entry.rule,
            self.imported.alias,
            self.entry.becomes,
            risk=Risk.INFO,
            not_fixed=f"the import is {how}",
        )

    def report(self, new: cst.CSTNode | None, extra: Sequence[Edit]) -> list[Draft]:
        """Report the import, which becomes ``new`` or goes, and every use that changes."""
        here = self.imported.here
        doubts = [doubt for each in self.plans if not each.changes for doubt in each.doubts]
        draft = here.report(
            self.entry.rule,
            self.imported.alias,
            self.entry.becomes,
            changes=[] if new is None else [(self.statement, new)],
            extra=extra,
            safety="unsafe" if doubts else "safe",
            not_fixed="; ".join(dict.fromkeys(doubts)) or None,
        )
        if new is None and not draft.hidden:
            gone = here.piece.statement
            draft.edits = [removal.taken_out(here.file, gone)]
            draft.fix = "unsafe" if doubts or removal.has_comment(here.file, gone) else "safe"
        return [draft, *(each.report() for each in self.plans if each.changes)]


def found(file: File, imported: MovedImport, entry: Entry, stuck: Mapping[str, str]) -> Name | None:
    """An imported name with its uses; None where it was reported, as the program can do without.

    The uses of a name that is imported again belong to the first import.
    """
    guard = fallback(imported.here.piece.statement)
    if guard is not None and guard.certain:
        Name(imported, entry, [], None).report_guarded(guard.how)
        return None
    first = names.lookup(imported.local, imported.here.scope)[0] is imported.binding
    uses = [
        plan(Reference(entry, Here(file, piece), node, imported.new_local(entry)))
        for piece, node in file.uses(imported.local, imported.binding.scope)
        if first
    ]
    reason = stuck.get(entry.rule.code) or _taken(imported, entry)
    reason = reason or next(("; ".join(each.reasons) for each in uses if each.reasons), None)
    return Name(imported, entry, uses, reason)


def moved(statement: Sequence[Name]) -> list[Draft]:
    """Report the names of one statement that move."""
    homes = [(name.imported, _home(name)) for name in statement]
    new, extra = import_lines.changed(list(homes))
    return [draft for name in statement for draft in name.report(new, extra)]


def _home(name: Name) -> str | None:
    """Where the name comes from now; None where the file imports that already."""
    local = name.imported.new_local(name.entry)
    if local == name.imported.local:
        return name.entry.name.to
    there = names.lookup(local, name.imported.here.scope)
    start = name.imported.binding.statement.start
    return None if any(each.statement.start < start for each in there) else name.entry.name.to


def _taken(imported: MovedImport, entry: Entry) -> str | None:
    here, local = imported.here, imported.new_local(entry)
    if any(each.target != imported.path for each in names.lookup(imported.local, here.scope)):
        return f"`{imported.local}` has another meaning beside this import"
    others = names.lookup(local, here.scope) if local != imported.local else []
    if any(other.target != entry.name.to for other in others):
        return f"`{local}` already means something else in the file"
    return None
