"""Imports of packages that have no Neuron build, and whether the program can do without."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import ImportMatch
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.context import File, Here
    from neuron_migrate.engine.index import Statement


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
                self._report(here.source(node.module), node, here)
        elif isinstance(node, cst.Import):
            for alias in node.names:
                self._report(here.source(alias.name), alias, here)

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""

    def _report(self, path: str, node: cst.CSTNode, here: Here) -> None:
        rule = self._rule(path)
        if rule is None:
            return
        assert isinstance(rule.match, ImportMatch)
        guard = _guard(here.piece.statement)
        text = f"`{path}`: {rule.match.instead}"
        if guard is None:
            draft = here.report(rule, node, text, not_fixed="what replaces it is a decision")
            draft.cuda_only = rule.match.cuda_only
            if here.scope.kind == "function":
                draft.message += " It is imported only when its function runs."
                draft.blocked = False
        else:
            draft = here.report(rule, node, f"{text} The import is {guard}.", risk=Risk.INFO)
            draft.not_fixed = f"the import is {guard}"
            draft.blocked = False

    def _rule(self, path: str) -> Rule | None:
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            rule = self.rules.get(".".join(parts[:length]))
            if rule is not None:
                return rule
        return None


def _guard(statement: Statement) -> str | None:
    """How the program survives without the package, or None when it does not."""
    inner = statement
    for outer in statement.ancestors():
        node = outer.node
        if isinstance(node, ast.Try) and inner.block == "body" and _survives(node):
            return "guarded by try/except"
        if isinstance(node, ast.ExceptHandler):
            return "itself the fallback of another import"
        if isinstance(node, ast.If):
            if "TYPE_CHECKING" in ast.dump(node.test):
                return "for type checkers only"
            if "available" in ast.dump(node.test).lower():
                return "behind an availability check"
        inner = outer
    return None


def _survives(node: ast.Try) -> bool:
    """True when a failing import is caught and not raised again."""
    for handler in node.handlers:
        caught = ast.dump(handler.type) if handler.type is not None else "ImportError"
        if any(name in caught for name in ("ImportError", "ModuleNotFound", "'Exception'")):
            return not any(isinstance(each, ast.Raise) for each in handler.body)
    return False
