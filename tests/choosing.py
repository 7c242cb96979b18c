"""Runs of ``fix`` in which a function says yes or no to every offer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from neuron_migrate.engine.choice import Answer, Choice
from neuron_migrate.engine.declined import declines_nothing
from neuron_migrate.engine.fixpoint import Fixed, fix
from tests.cases import analysed, analyzer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from neuron_migrate.engine.choice import Offer
    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.finding import Finding, Target


@dataclass
class Person:
    """Answers each question by a function of the findings."""

    says: Callable[[Sequence[Finding]], bool]
    offers: list[tuple[Offer, bool]] = field(default_factory=list)
    told: list[Finding] = field(default_factory=list)

    def known(self, findings: Sequence[Finding]) -> bool | None:
        return None

    def ask(self, offer: Offer) -> Answer:
        yes = self.says(offer.findings)
        self.offers.append((offer, yes))
        return Answer.YES if yes else Answer.NO

    def stays(self, findings: Sequence[Finding]) -> None:
        self.told += findings


@dataclass
class Scripted:
    """Gives one answer after another, and yes when there are none left."""

    answers: Iterable[Answer]
    offers: list[Offer] = field(default_factory=list)
    told: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = iter(self.answers)

    def known(self, findings: Sequence[Finding]) -> bool | None:
        return None

    def ask(self, offer: Offer) -> Answer:
        self.offers.append(offer)
        return next(self._left, Answer.YES)

    def stays(self, findings: Sequence[Finding]) -> None:
        self.told += findings


@dataclass
class _Remembering:
    """An analyzer that finds again what it has found with nothing declined."""

    target: Target

    def analyse(self, text: str, path: str, declined: Declined = declines_nothing) -> list[Finding]:
        if declined is declines_nothing:
            return [*analysed(text, self.target, path)]
        return analyzer(self.target).analyse(text, path, declined)

    def check(self, before: str, after: str, path: str) -> None:
        analyzer(self.target).check(before, after, path)


def chosen(
    text: str,
    target: Target,
    path: str,
    asking: Person | Scripted,
    *,
    unsafe: bool = False,
) -> tuple[Fixed, Choice]:
    """The text after the fixes that were accepted, and the choice."""
    used = _Remembering(target)
    choice = Choice(used, path, asking, unsafe=unsafe)
    return fix(used, text, path, unsafe=unsafe, deciding=choice), choice
