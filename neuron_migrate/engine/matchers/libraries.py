"""Imports of packages that have no Neuron build, and whether the program can do without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import ImportMatch
from neuron_migrate.engine import dynamic_imports
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.patterns import Library
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.fallbacks import Fallback
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Libraries:
    """Matches rules of kind ``import``."""

    nodes = (cst.Import, cst.ImportFrom, cst.Call)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.known: dict[str, tuple[Rule, Library]] = {}
        for rule in rules:
            assert isinstance(rule.match, ImportMatch)
            for library in rule.match.libraries:
                for name in (library.package, *library.also):
                    self.known[name] = rule, library

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report an import of a package or of something inside it."""
        if isinstance(node, cst.ImportFrom):
            if not node.relative and node.module is not None:
                self._report_from(here.source(node.module), node, here)
        elif isinstance(node, cst.Import):
            for alias in node.names:
                self._report(here.source(alias.name), alias, here)
        elif isinstance(node, cst.Call):
            for path in dynamic_imports.imported(node):
                if self._find(path) is not None:
                    self._report(path, node, here, dynamic_imports.own_fallback(node, here))
                    return

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _report_from(self, module: str, node: cst.ImportFrom, here: Here) -> None:
        if self._find(module) is not None or isinstance(node.names, cst.ImportStar):
            self._report(module, node, here)
            return
        for alias in node.names:
            self._report(f"{module}.{here.source(alias.name)}", alias, here)

    def _report(
        self, path: str, node: cst.CSTNode, here: Here, found: Fallback | None = None
    ) -> None:
        known = self._find(path)
        if known is None:
            return
        rule, library = known
        match = rule.match
        assert isinstance(match, ImportMatch)
        text = f"`{path}`: {library.instead or match.instead}"
        found = found or fallback(here.piece.statement, self._is_gone)
        survives = found is not None and (found.certain or found.option)
        draft = here.report(
            rule,
            node,
            text if found is None else f"{text} The import is {found.how}.",
            not_fixed=f"the import is {found.how}"
            if survives and found is not None
            else "what replaces it is a decision",
            risk=Risk.INFO if survives else library.risk,
            confidence=library.confidence,
        )
        draft.blocked = rule.blocked and found is None
        draft.cuda_only = match.cuda_only and (found is None or found.device)

    def _is_gone(self, module: str) -> bool:
        known = self._find(module)
        return known is not None and known[0].risk is Risk.BREAKS

    def _find(self, path: str) -> tuple[Rule, Library] | None:
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            known = self.known.get(".".join(parts[:length]))
            if known is not None:
                return known if _is_theirs(known[1], parts, length) else None
        return None


def _is_theirs(library: Library, parts: list[str], length: int) -> bool:
    """False for a module of the project that only shares the package's name."""
    known = library.submodules
    return not known or len(parts) == length or parts[length] in known
