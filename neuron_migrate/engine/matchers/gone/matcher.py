"""Packages that the native stack does not have: their imports, and the uses of what they hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine import names
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.import_lines import dotted
from neuron_migrate.engine.matchers.gone.imports import (
    GoneImport,
    ImportReport,
    instead,
    way_around,
)
from neuron_migrate.engine.matchers.gone.lookup import Lookup
from neuron_migrate.engine.matchers.gone.uses import Use, report_unknown, report_use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding
    from neuron_migrate.finding import Safety


@dataclass(slots=True)
class _Seen:
    """What the file holds so far."""

    imports: list[GoneImport] = field(default_factory=list)
    uses: list[tuple[Binding, Use]] = field(default_factory=list)


class Gone:
    """Matches rules of kind ``gone``."""

    nodes = (cst.Import, cst.ImportFrom, cst.Attribute, cst.Name)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.lookup = Lookup(rules)
        self.seen = _Seen()

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note an import or a use."""
        if isinstance(node, (cst.Import, cst.ImportFrom)):
            self._import(node, here)
        elif isinstance(node, (cst.Attribute, cst.Name)):
            self._use(node, here)

    def finish(self, file: File) -> None:
        """Report the uses, then the imports with what is left of them."""
        seen, self.seen = self.seen, _Seen()
        reported = {binding: list(drafts) for binding, drafts in file.rewritten.items()}
        left: dict[Binding, list[str]] = {}
        taken: dict[cst.CSTNode, Draft] = {}
        for binding, use in seen.uses:
            if _is_guarded(binding, file):
                continue
            if use.known is None and any(_within(use.path, path) for path in file.moved):
                continue
            if use.known is None:
                left.setdefault(binding, []).append(use.path)
                report_unknown(use, self.lookup.way(use.path, use.rule))
                continue
            draft = taken.get(use.node)
            if draft is None:
                # Code that imports it on demand may serve other XLA devices beside Neuron.
                safety: Safety = "safe" if fallback(binding.statement) is None else "unsafe"
                draft, along = report_use(use, use.known, safety)
                taken.update(dict.fromkeys(along, draft))
            reported.setdefault(binding, []).append(draft)
        done: set[int] = set()
        for each in seen.imports:
            if id(each.node) not in done:
                done.add(id(each.node))
                together = [other for other in seen.imports if other.node is each.node]
                ImportReport(file, together, reported, left).report()

    def _import(self, node: cst.Import | cst.ImportFrom, here: Here) -> None:
        if isinstance(node, cst.ImportFrom) and (node.relative or node.module is None):
            return
        if isinstance(node.names, cst.ImportStar):
            rule = (
                self.lookup.of_package(dotted(node.module))
                if isinstance(node, cst.ImportFrom)
                else None
            )
            if rule is not None:
                here.report(
                    rule, node, instead(rule), not_fixed="which names are meant is not seen"
                )
            return
        prefix = f"{dotted(node.module)}." if isinstance(node, cst.ImportFrom) else ""
        for alias in node.names:
            path = prefix + dotted(alias.name)
            rule = self.lookup.of_import(path)
            if rule is None or alias in here.file.claimed:
                continue
            local = dotted(alias.asname.name) if alias.asname else dotted(alias.name)
            local = local.partition(".")[0]
            note = self.lookup.way(path, rule)
            for binding in names.lookup(local, here.scope):
                if binding.statement is here.piece.statement:
                    self.seen.imports.append(
                        GoneImport(rule, here, node, alias, path, local, binding, note)
                    )
                    break

    def _use(self, node: cst.Attribute | cst.Name, here: Here) -> None:
        parent = here.parent(node)
        if isinstance(parent, (cst.Attribute, cst.ImportAlias, cst.ImportFrom, cst.AsName)):
            return
        if isinstance(node, cst.Name) and node is getattr(parent, "target", None):
            return
        if isinstance(parent, (cst.Arg, cst.Param)) and node is not getattr(parent, "value", None):
            return
        found = here.resolve(node)
        if found is None or found.binding is None:
            return
        if found.path.partition(".")[0] not in self.lookup.roots or here.is_claimed(node):
            return
        reference, known = self.lookup.longest(node, found.path)
        rule = self.lookup.of_use(found.path) if known is None else known[0]
        if rule is None:
            return
        entry = None if known is None else known[1]
        use = Use(here, reference, found.path, rule, entry)
        self.seen.uses.append((found.binding, use))


def _within(path: str, outer: str) -> bool:
    return f"{path}.".startswith(f"{outer}.")


def _is_guarded(binding: Binding, file: File) -> bool:
    """True when the program does without what the name is imported from."""
    return binding.kind == "import" and way_around(binding.statement, file) is not None
