"""Packages that the native stack does not have: their imports, and the uses of what they hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import GoneMatch, GoneName
from neuron_migrate.engine import names
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.engine.import_lines import dotted
from neuron_migrate.engine.matchers.gone.imports import GoneImport, ImportReport, instead
from neuron_migrate.engine.matchers.gone.uses import Use, report_use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.engine.index import Binding, Statement
    from neuron_migrate.finding import Safety


@dataclass(slots=True)
class _Seen:
    """What the file holds so far."""

    imports: list[GoneImport] = field(default_factory=list)
    uses: dict[Binding, list[Use]] = field(default_factory=dict)


class Gone:
    """Matches rules of kind ``gone``."""

    nodes = (cst.Import, cst.ImportFrom, cst.Attribute, cst.Name)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.packages: dict[str, Rule] = {}
        self.known: dict[str, tuple[Rule, GoneName]] = {}
        for rule in rules:
            assert isinstance(rule.match, GoneMatch)
            self.packages.update(dict.fromkeys(rule.match.packages, rule))
            self.known.update((entry.name, (rule, entry)) for entry in rule.match.names)
        self.roots = {path.partition(".")[0] for path in (*self.packages, *self.known)}
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
        guarded = {each.binding for each in seen.imports if _is_guarded(each.here.piece.statement)}
        reported: dict[Binding, list[Draft]] = {}
        left: dict[Binding, list[str]] = {}
        for binding, uses in seen.uses.items():
            if binding in guarded or _is_guarded(binding.statement):
                continue
            # Code that imports it on demand may serve other XLA devices beside Neuron.
            safety: Safety = "safe" if fallback(binding.statement) is None else "unsafe"
            for use in uses:
                if use.known is None:
                    left.setdefault(binding, []).append(use.path)
                else:
                    draft = report_use(use, use.known, safety)
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
            rule = self._package(dotted(node.module)) if isinstance(node, cst.ImportFrom) else None
            if rule is not None:
                here.report(
                    rule, node, instead(rule), not_fixed="which names are meant is not seen"
                )
            return
        prefix = f"{dotted(node.module)}." if isinstance(node, cst.ImportFrom) else ""
        for alias in node.names:
            path = prefix + dotted(alias.name)
            rule = self._package(path)
            if rule is None or alias in here.file.claimed:
                continue
            local = dotted(alias.asname.name) if alias.asname else dotted(alias.name)
            local = local.partition(".")[0]
            for binding in names.lookup(local, here.scope):
                if binding.statement is here.piece.statement:
                    self.seen.imports.append(
                        GoneImport(rule, here, node, alias, path, local, binding)
                    )
                    break

    def _use(self, node: cst.Attribute | cst.Name, here: Here) -> None:
        parent = here.parent(node)
        if isinstance(parent, (cst.Attribute, cst.ImportAlias, cst.ImportFrom, cst.AsName)):
            return
        if isinstance(parent, (cst.Arg, cst.Param)) and node is not getattr(parent, "value", None):
            return
        found = here.resolve(node)
        if found is None or found.binding is None:
            return
        if found.path.partition(".")[0] not in self.roots or here.is_claimed(node):
            return
        reference, path = _longest(node, found.path, self.known)
        known = self.known.get(path)
        if known is None and self._package(found.path) is None:
            return
        use = Use(here, reference, found.path if known is None else path, known)
        self.seen.uses.setdefault(found.binding, []).append(use)

    def _package(self, path: str) -> Rule | None:
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            rule = self.packages.get(".".join(parts[:length]))
            if rule is not None:
                return rule
        return None


def _longest(
    node: cst.BaseExpression, path: str, known: dict[str, tuple[Rule, GoneName]]
) -> tuple[cst.BaseExpression, str]:
    """The longest part of an attribute chain that the catalog knows, or all of it."""
    part: cst.BaseExpression = node
    name = path
    while name not in known and isinstance(part, cst.Attribute):
        part, name = part.value, name.rpartition(".")[0]
    return (part, name) if name in known else (node, path)


def _is_guarded(statement: Statement) -> bool:
    found = (
        fallback(statement) if isinstance(statement.node, (ast.Import, ast.ImportFrom)) else None
    )
    return found is not None and found.certain
