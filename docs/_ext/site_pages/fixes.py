"""What a rule does about its examples, asked of the engine.

The text after an example is what all rules make of it together; its findings tell which of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.engine.work import Worker
from neuron_migrate.report.rule_sections import TARGETS
from neuron_migrate.settings import Settings

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.finding import Finding, Target


class Fixes:
    """The findings of every rule in its own examples."""

    def __init__(self, catalog: Catalog) -> None:
        self._found: dict[tuple[str, str, Target], list[Finding]] = {}
        for target in TARGETS:
            worker = Worker(catalog, Settings(root=Path(), target=target, jobs=1), fix=False)
            for rule in catalog.rules:
                for example in rule.examples:
                    result = worker.result(example.before.encode(), example.path)
                    own = [each for each in result.findings if each.code == rule.code]
                    self._found[rule.code, example.before, target] = own

    def kinds(self, rule: Rule, target: Target) -> str:
        """Which fixes it has: ``safe``, ``unsafe``, ``safe or unsafe`` or ``none``."""
        found = {each.fix for each in self._all(rule, target) if each.fix}
        return " or ".join(sorted(found)) or "none"

    def some_left(self, rule: Rule) -> bool:
        """Whether it fixes some of what it finds and reports the rest."""
        return any(
            {bool(each.fix) for each in self._all(rule, target)} == {True, False}
            for target in TARGETS
        )

    def rewrites(self, rule: Rule, before: str) -> bool:
        """Whether it has a part in what becomes of an example."""
        return any(
            each.fix for target in TARGETS for each in self._found[rule.code, before, target]
        )

    def reasons(self, rule: Rule, before: str) -> list[str]:
        """Why an example, or part of it, is left to a person."""
        found = self._found[rule.code, before, "neuron"]
        return list(dict.fromkeys(each.not_fixed for each in found if each.not_fixed))

    def _all(self, rule: Rule, target: Target) -> list[Finding]:
        befores = dict.fromkeys(example.before for example in rule.examples)
        return [each for before in befores for each in self._found[rule.code, before, target]]
