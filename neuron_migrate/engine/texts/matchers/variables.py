"""Environment variables that a shell, a container or a workflow sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import VariableMatch
from neuron_migrate.engine.texts.facts import Variable
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.document import Document

_INDICES = re.compile(r"\d+(\s*[,-]\s*\d+)*")


class Variables:
    """Matches rules of kind ``variable``."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, tuple[Rule, VariableMatch]] = {}
        for rule in rules:
            assert isinstance(rule.match, VariableMatch)
            self.rules.update(dict.fromkeys(rule.match.names, (rule, rule.match)))

    def match(self, document: Document) -> None:
        """Report every variable that a rule knows."""
        given = {fact.name for fact in document.of(Variable)}
        for fact in document.of(Variable):
            rule, pattern = self.rules.get(fact.name, (None, None))
            if rule is None or pattern is None:
                continue
            if pattern.values and fact.value not in pattern.values:
                continue
            if pattern.to is None:
                document.report(rule, fact.span, f"`{fact.name}`.")
            elif pattern.to not in given:
                _rename(rule, pattern, fact, document)


def _rename(rule: Rule, pattern: VariableMatch, fact: Variable, document: Document) -> None:
    assert pattern.to is not None
    if fact.value in pattern.hides:
        reason = f"`{pattern.to}` has no value for no device: choose the CPU in the program"
        document.report(rule, fact.span, "The value hides every GPU.", not_fixed=reason)
        return
    if document.target == "accelerator":
        reason = "CUDA reads it under this name, and the code is to run there too"
        document.report(rule, fact.span, not_fixed=reason)
        return
    edit = Edit(fact.name_span.start, fact.name_span.end, pattern.to)
    if fact.value is not None and _INDICES.fullmatch(fact.value.strip()):
        document.report(rule, fact.span, edits=[edit])
        return
    reason = "what it is set to may be no list of indices"
    document.report(rule, fact.span, edits=[edit], safety="unsafe", not_fixed=reason)
