"""Environment variables that a shell, a container or a workflow sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import VariableMatch
from neuron_migrate.engine.texts.facts import Variable, VariableUse
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.document import Document

_INDEX = r"\d+|\$\{?(?:\w*_)?(?:gpu|device|rank|id|index|idx|core|cuda)s?\d*(?:_\w+)?\}?"
_INDICES = re.compile(rf"[\"']?(?:{_INDEX})(?:\s*[,-]\s*(?:{_INDEX}))*[\"']?", re.IGNORECASE)
_UNKNOWN = "what it is set to may be no list of indices"
_ELSEWHERE = "what the variable is set to stays as it is elsewhere"


class Variables:
    """Matches rules of kind ``variable``."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules: dict[str, tuple[Rule, VariableMatch]] = {}
        for rule in rules:
            assert isinstance(rule.match, VariableMatch)
            self.rules.update(dict.fromkeys(rule.match.names, (rule, rule.match)))

    def match(self, document: Document) -> None:
        """Report every variable that a rule knows."""
        for name, (rule, pattern) in self.rules.items():
            facts = [fact for fact in document.of(Variable) if fact.name == name]
            if pattern.to is not None:
                uses = [fact for fact in document.of(VariableUse) if fact.name == name]
                _rename(rule, pattern, facts, uses, document)
                continue
            for fact in facts:
                if not pattern.values or fact.value in pattern.values:
                    document.report(rule, fact.span, f"`{name}`.")


def _rename(
    rule: Rule,
    pattern: VariableMatch,
    facts: list[Variable],
    uses: list[VariableUse],
    document: Document,
) -> None:
    """A variable takes its new name everywhere in the text, or where nothing asks for it."""
    if any(fact.name == pattern.to for fact in document.of(Variable)):
        return
    doubts = [_doubt(fact, pattern, document) for fact in facts]
    asked = [use for use in uses if not use.unset]
    together = next(filter(None, doubts), None) and _ELSEWHERE
    if asked and not facts:
        together = "it is set outside of this file"
    for fact, doubt in zip(facts, doubts, strict=True):
        if fact.value in pattern.hides:
            reason = f"`{pattern.to}` has no value for no device: choose the CPU in the program"
            document.report(rule, fact.span, "The value hides every GPU.", not_fixed=reason)
        else:
            change = Edit(fact.name_span.start, fact.name_span.end, pattern.to or "")
            _report(rule, fact, change, doubt or (together if asked else None), document)
    for use in uses:
        change = Edit(use.span.start, use.span.end, pattern.to or "")
        _report(rule, use, change, together, document)


def _doubt(fact: Variable, pattern: VariableMatch, document: Document) -> str | None:
    """Why an assignment may have no place under the new name."""
    if fact.value in pattern.hides:
        return _ELSEWHERE
    if fact.value is not None and _INDICES.fullmatch(fact.value.strip()):
        return None
    shown = "" if fact.value_span is None else document.source(fact.value_span)
    return None if _INDICES.fullmatch(shown.strip()) else _UNKNOWN


def _report(
    rule: Rule, fact: Variable | VariableUse, change: Edit, doubt: str | None, document: Document
) -> None:
    if document.target == "accelerator":
        reason = "CUDA reads it under this name, and the code is to run there too"
        document.report(rule, fact.span, not_fixed=reason)
    elif doubt is None:
        document.report(rule, fact.span, edits=[change])
    else:
        document.report(rule, fact.span, edits=[change], safety="unsafe", not_fixed=doubt)
