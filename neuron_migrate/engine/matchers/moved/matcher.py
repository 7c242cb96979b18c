"""Names of a package that is gone, whose place those of another package take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import MovedMatch
from neuron_migrate.engine import import_lines, version_checks
from neuron_migrate.engine.matchers.moved import groups, statements
from neuron_migrate.engine.matchers.moved.entries import (
    Entry,
    MovedImport,
    Reference,
    entries_of,
)
from neuron_migrate.engine.matchers.moved.members import blocking
from neuron_migrate.engine.matchers.moved.plans import plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding


class Moved:
    """Matches rules of kind ``moved``."""

    nodes = (cst.ImportFrom, cst.Attribute)

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = list(rules)
        patterns = [rule.match for rule in rules if isinstance(rule.match, MovedMatch)]
        self.known: dict[str, Entry] = dict(entries_of(rules, patterns))
        self.imported: list[tuple[MovedImport, Entry]] = []
        self.through: list[tuple[Reference, Binding]] = []

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note an import of one of the names, or a use through its module."""
        if isinstance(node, cst.ImportFrom):
            self._import(node, here)
        elif isinstance(node, cst.Attribute):
            self._use(node, here)

    def finish(self, file: File) -> None:
        """Report every import with its uses, then the uses through modules."""
        imported, self.imported = self.imported, []
        through, self.through = self.through, []
        entries = [*(entry for _, entry in imported), *(each.entry for each, _ in through)]
        stuck = blocking(file, entries)
        found = (statements.found(file, each, entry, stuck) for each, entry in imported)
        groups.report([name for name in found if name is not None])
        for reference, binding in through:
            draft = plan(reference).report(stuck.get(reference.entry.rule.code))
            file.rewritten.setdefault(binding, []).append(draft)

    def _import(self, node: cst.ImportFrom, here: Here) -> None:
        decided = version_checks.decided_by_version(here.piece.statement)
        for each in import_lines.imports(node, here):
            entry = self.known.get(each.path)
            if entry is not None and not (decided and entry.pattern.same):
                here.file.claimed.add(each.alias)
                here.file.moved.add(each.path)
                self.imported.append((MovedImport.of(each), entry))

    def _use(self, node: cst.Attribute, here: Here) -> None:
        """A name that is reached through its module: ``on.NeuronTrainer``."""
        found = here.resolve(node)
        if found is None or found.binding is None or found.binding.target == found.path:
            return
        entry = self.known.get(found.path)
        if entry is None or here.is_claimed(node) or found.binding.kind != "import":
            return
        here.file.claimed.add(node)
        here.file.moved.add(found.path)
        self.through.append((Reference(entry, here, node, None), found.binding))
