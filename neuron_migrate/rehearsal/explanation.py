"""Why a program stopped: the findings at the line that raised, and the rules about the message."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.errors import UsageError
from neuron_migrate.rehearsal.model import Explanation, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.api.migrator import Migrator
    from neuron_migrate.catalog.rehearsal import ExceptionFact
    from neuron_migrate.finding import Finding
    from neuron_migrate.rehearse.recording import Outcome

_NAMED = 3
"""Rules that are named where only the message tells."""
_CODE = re.compile(r"\b(?:NCC_)?(E[A-Z]{3}\d{3})\b")


class Explainer:
    """Finds them with the rules and settings of a migrator."""

    def __init__(self, migrator: Migrator, facts: Sequence[ExceptionFact]) -> None:
        self._migrator = migrator
        self._facts = facts

    def explain(self, outcome: Outcome) -> tuple[Explanation, ...]:
        """What explains an outcome, likeliest first; empty where no rule does."""
        codes, said = self._by_message(f"{outcome.exception}: {outcome.message}")
        found = self._at_frames(outcome, codes)
        return (*(found or self._rules(codes)), *said)

    def _by_message(self, text: str) -> tuple[list[str], list[Explanation]]:
        codes = self._naming(text)
        for fact in self._facts:
            if re.search(fact.pattern, text):
                codes += fact.rules
                said = Explanation(message=fact.why, sources=fact.sources)
                return codes, [said] if fact.why else []
        return codes, []

    def _naming(self, text: str) -> list[str]:
        """The rules that name a code of the compiler which stands in a message."""
        errors = set(_CODE.findall(text))
        return [
            rule.code
            for rule in self._migrator.catalog.rules
            if errors & set(_CODE.findall(f"{rule.summary} {rule.why} {' '.join(rule.sources)}"))
        ]

    def _at_frames(self, outcome: Outcome, codes: Sequence[str]) -> list[Explanation]:
        """The findings at the innermost frame of the program that has any."""
        for frame in reversed(outcome.frames):
            if frame.own:
                found = self._at(Path(frame.line.path), frame.line.number)
                known = [each for each in found if each.code in codes] if codes else found
                if known:
                    return [self._finding(each) for each in known]
        return []

    def _at(self, path: Path, line: int) -> list[Finding]:
        try:
            run = self._migrator.check([path])
        except UsageError:  # the file is gone, or never was one
            return []
        found = run.findings(advice=True)
        return [each for each in found if each.line <= line <= each.end_line]

    def _finding(self, finding: Finding) -> Explanation:
        rule = self._migrator.catalog.rule(finding.code)
        return Explanation(
            code=finding.code,
            name=finding.name,
            place=Place(finding.path, finding.line),
            message=finding.message,
            fix=finding.fix or "",
            sources=rule.sources if rule else (),
        )

    def _rules(self, codes: Sequence[str]) -> list[Explanation]:
        rules = [self._migrator.catalog.rule(code) for code in dict.fromkeys(codes)]
        return [
            Explanation(code=rule.code, name=rule.name, message=rule.summary, sources=rule.sources)
            for rule in rules[:_NAMED]
            if rule is not None
        ]
