"""A text under analysis: its facts, and what is said about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.texts.facts import Reading, Span
    from neuron_migrate.files.kinds import Kind
    from neuron_migrate.finding import Confidence, Edit, Risk, Safety, Target

_Fact = TypeVar("_Fact")


@dataclass(slots=True, eq=False)
class Report:
    """A finding in the making."""

    rule: Rule
    span: Span
    message: str
    risk: Risk
    confidence: Confidence
    edits: Sequence[Edit]
    fix: Safety | None
    not_fixed: str | None
    blocked: bool


@dataclass(slots=True)
class Document:
    """One text with its facts."""

    path: str
    kind: Kind
    text: str
    reading: Reading
    target: Target
    reports: list[Report] = field(default_factory=list)

    def source(self, span: Span) -> str:
        """The text of a place."""
        return self.text[span.start : span.end]

    def of(self, kind: type[_Fact]) -> Iterator[_Fact]:
        """The facts of one kind, in the order of the text."""
        return (fact for fact in self.reading.facts if isinstance(fact, kind))

    def report(
        self,
        rule: Rule,
        span: Span,
        message: str = "",
        *,
        edits: Sequence[Edit] = (),
        safety: Safety = "safe",
        not_fixed: str | None = None,
        risk: Risk | None = None,
        confidence: Confidence | None = None,
        blocked: bool | None = None,
    ) -> None:
        """Say something about a place; ``edits`` are what the fix changes."""
        self.reports.append(
            Report(
                rule,
                span,
                " ".join(part for part in (rule.summary, message) if part),
                risk or rule.risk,
                confidence or rule.confidence,
                edits,
                safety if edits else None,
                not_fixed,
                rule.blocked if blocked is None else blocked,
            )
        )
