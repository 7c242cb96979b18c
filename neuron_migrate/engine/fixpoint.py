"""From a text to the fixed text: edits applied until there is nothing left to apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine import edits
from neuron_migrate.engine.analysis import AnalysisError, parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.analysis import Analyzer
    from neuron_migrate.finding import Edit, Finding

_MAX_PASSES = 10


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


def fix(analyzer: Analyzer, text: str, path: str, *, unsafe: bool) -> Fixed:
    """Apply every permitted fix until a pass has none left.

    Raises AnalysisError when the text cannot be parsed, FixError when a fixed one cannot, or when
    the passes do not come to an end.
    """
    findings = first = analyzer.analyse(text, path)
    applied = 0
    for _ in range(_MAX_PASSES):
        chosen = _choose(findings, unsafe=unsafe)
        if not chosen:
            return Fixed(text, tuple(first), tuple(findings), applied)
        applied += len(chosen)
        text = edits.apply(text, [edit for finding in chosen for edit in finding.edits])
        codes = ", ".join(sorted({finding.code for finding in chosen}))
        try:
            parse(text)
            findings = analyzer.analyse(text, path)
        except AnalysisError as error:
            raise FixError(
                f"the rewrite by {codes} does not parse ({error.reason}, line {error.line}); "
                "nothing was written, please report this"
            ) from error
    raise FixError(f"the rewrites by {codes} do not come to an end; please report this")


def _choose(findings: Sequence[Finding], *, unsafe: bool) -> list[Finding]:
    """The findings to fix in this pass: permitted, and none touching the text of another."""
    chosen: list[Finding] = []
    taken: list[Edit] = []
    for finding in findings:
        if finding.fix is None or (finding.fix == "unsafe" and not unsafe) or not finding.edits:
            continue
        if edits.overlaps(finding.edits, taken):
            continue
        chosen.append(finding)
        taken.extend(finding.edits)
    return chosen
