"""Imports of packages that have no Neuron build, and whether the program can do without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import ImportMatch
from neuron_migrate.engine.fallbacks import fallback
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here


class Libraries:
    """Matches rules of kind ``import``."""

    nodes = (cst.Import, cst.ImportFrom)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, Rule] = {}
        for rule in rules:
            assert isinstance(rule.match, ImportMatch)
            self.rules.update(dict.fromkeys(rule.match.packages, rule))

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report an import of a package or of something inside it."""
        if isinstance(node, cst.ImportFrom):
            if not node.relative and node.module is not None:
                self._report_from(here.source(node.module), node, here)
        elif isinstance(node, cst.Import):
            for alias in node.names:
                self._report(here.source(alias.name), alias, here)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _report_from(self, module: str, node: cst.ImportFrom, here: Here) -> None:
        if self._rule(module) is not None or isinstance(node.names, cst.ImportStar):
            self._report(module, node, here)
            return
        for alias in node.names:
            self._report(f"{module}.{here.source(alias.name)}", alias, here)

    def _report(self, path: str, node: cst.CSTNode, here: Here) -> None:
        rule = self._rule(path)
        if rule is None:
            return
        assert isinstance(rule.match, ImportMatch)
        text = f"`{path}`: {rule.match.instead}"
        found = fallback(here.piece.statement)
        if found is not None:
            text += f" The import is {found.how}."
        if found is None or not (found.certain or found.option):
            draft = here.report(rule, node, text, not_fixed="what replaces it is a decision")
            draft.blocked = rule.blocked and found is None
        else:
            draft = here.report(rule, node, text, risk=Risk.INFO)
            draft.not_fixed = f"the import is {found.how}"
            draft.blocked = False
        draft.cuda_only = rule.match.cuda_only and (found is None or found.device)

    def _rule(self, path: str) -> Rule | None:
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            rule = self.rules.get(".".join(parts[:length]))
            if rule is not None:
                return rule if _is_theirs(rule, parts, length) else None
        return None


def _is_theirs(rule: Rule, parts: list[str], length: int) -> bool:
    """False for a module of the project that only shares the package's name."""
    assert isinstance(rule.match, ImportMatch)
    known = rule.match.submodules
    return not known or len(parts) == length or parts[length] in known
