"""Names that a library no longer has."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import RemovedMatch
from neuron_migrate.engine import import_lines, version_checks
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.import_lines import Import


class RemovedNames:
    """Matches rules of kind ``removed-name``."""

    nodes = (cst.ImportFrom, cst.Import, cst.Attribute)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.known: dict[str, tuple[Rule, str]] = {}
        self.wild: dict[str, tuple[Rule, str]] = {}
        for rule in rules:
            assert isinstance(rule.match, RemovedMatch)
            for name, note in rule.match.names.items():
                told = self.wild if "*" in name else self.known
                told[name] = (rule, note or rule.match.instead)

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report an import of such a name, or a use of it through its module."""
        if version_checks.decided_by_version(here.piece.statement):
            return
        if isinstance(node, (cst.ImportFrom, cst.Import)):
            for each in import_lines.imports(node, here):
                known = self._lookup(each.path)
                if known is not None and each.alias not in here.file.claimed:
                    _import(each, *known, here)
        elif isinstance(node, cst.Attribute) and not _is_bound(node, here):
            found = here.resolve(node)
            binding = found.binding if found is not None else None
            if found is None or binding is None or binding.kind != "import":
                return
            known = self._told(found.path)
            if self._lookup(found.path.rpartition(".")[0]) is not None:
                return  # the import, or the chain without its last name, is reported
            if known is not None and binding.target != found.path:
                rule, note = known
                risk = Risk.INFO if found.guarded else None
                here.report(rule, node, f"`{found.path}`: {note}", risk=risk)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _lookup(self, path: str) -> tuple[Rule, str] | None:
        """What is said about a name, or about a module that it is in."""
        while path:
            told = self._told(path)
            if told is not None:
                return told
            path = path.rpartition(".")[0]
        return None

    def _told(self, path: str) -> tuple[Rule, str] | None:
        if path in self.known:
            return self.known[path]
        root = path.partition(".")[0]
        if not any(name.startswith(root) for name in self.wild):
            return None
        return next((told for name, told in self.wild.items() if fnmatchcase(path, name)), None)


def _import(each: Import, rule: Rule, note: str, here: Here) -> None:
    guard = fallback(here.piece.statement)
    if guard is not None and guard.certain:
        text = f"`{each.path}` is gone. The import is {guard.how}."
        reason = f"the import is {guard.how}"
        here.report(rule, each.alias, text, risk=Risk.INFO, not_fixed=reason)
        return
    used = any(True for _ in here.file.uses(each.local, each.binding.scope))
    if used or each.kept or each.guarded or isinstance(each.statement, cst.Import):
        here.report(rule, each.alias, f"`{each.path}`: {note}")
        return
    text = f"`{each.path}` is imported and not used here."
    new, _ = import_lines.changed([(each, None)])
    if new is None:
        here.report_removal(rule, each.alias, text)
    else:
        here.report(rule, each.alias, text, changes=[(each.statement, new)])


def _is_bound(node: cst.Attribute, here: Here) -> bool:
    """True where the name is imported, or given a value as patches do."""
    if any(isinstance(outer, (cst.Import, cst.ImportFrom)) for outer in here.ancestors(node)):
        return True
    parent = here.parent(node)
    return isinstance(parent, (cst.AssignTarget, cst.Del)) or (
        isinstance(parent, cst.AnnAssign) and parent.target is node
    )
