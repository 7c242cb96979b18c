"""From a text to the fixed text: edits applied until there is nothing left to apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from neuron_migrate.engine import edits
from neuron_migrate.engine.analysis import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.declined import Declined
    from neuron_migrate.finding import Finding

_MAX_PASSES = 10


class Analysing(Protocol):
    """What finds things in a text of some kind."""

    def analyse(self, text: str, path: str, declined: Declined = ...) -> list[Finding]:
        """The findings of a text, without those declined; AnalysisError when it is not read."""

    def check(self, before: str, after: str, path: str) -> None:
        """Raises AnalysisError when a fixed text is worse than the one before."""


class Deciding(Protocol):
    """Who says which of the permitted fixes are made."""

    def decide(self, text: str, found: Sequence[Finding]) -> Sequence[Finding]:
        """What to fix in a pass over a text, of all that could be; all of it is then fixed."""


class FixError(Exception):
    """The fixes of a file do not give a valid or a stable text: a fault of a rule."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """The text after all permitted fixes."""

    text: str
    first: tuple[Finding, ...]
    """What was found in the original text."""
    left: tuple[Finding, ...]
    """What is found in the fixed one."""
    applied: int
    """How many findings were resolved by edits."""


def fix(
    analyzer: Analysing, text: str, path: str, *, unsafe: bool, deciding: Deciding | None = None
) -> Fixed:
    """Apply every permitted fix, or those that are decided on, until a pass has none left.

    Raises AnalysisError when the text cannot be parsed, FixError when a fixed one cannot, or when
    the passes do not come to an end.
    """
    findings = first = analyzer.analyse(text, path)
    applied = 0
    for _ in range(_MAX_PASSES):
        chosen = choose(findings, unsafe=unsafe)
        if deciding is not None:
            chosen = [*deciding.decide(text, chosen)]
        if not chosen:
            return Fixed(text, tuple(first), tuple(findings), applied)
        applied += len(chosen)
        before, text = text, edits.apply(text, [edit for each in chosen for edit in each.edits])
        codes = ", ".join(sorted({finding.code for finding in chosen}))
        try:
            analyzer.check(before, text, path)
            findings = analyzer.analyse(text, path)
        except AnalysisError as error:
            raise FixError(
                f"the rewrite by {codes} does not parse ({error.reason}, line {error.line}); "
                "nothing was written, please report this"
            ) from error
    raise FixError(f"the rewrites by {codes} do not come to an end; please report this")


def choose(findings: Sequence[Finding], *, unsafe: bool) -> list[Finding]:
    """The findings to fix in this pass: permitted, and none touching the text of another."""
    chosen: list[Finding] = []
    taken = edits.Taken()
    for finding in findings:
        if finding.fix is None or (finding.fix == "unsafe" and not unsafe) or not finding.edits:
            continue
        if taken.take(finding.edits):
            chosen.append(finding)
    return chosen
