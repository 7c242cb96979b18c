"""What findings have in common, whatever kind of file they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.finding import Finding, Risk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.suppression import Suppressions
    from neuron_migrate.files.lines import Lines
    from neuron_migrate.finding import Confidence, Target

UNUSED = "NM001"
"""The code of a suppression comment that silences nothing."""
_MALFORMED = (
    "This comment is not understood and suppresses nothing: write `ignore`, `ignore[NM101, NM2]` "
    "or `ignore-file`."
)


def full(message: str, rule: Rule, confidence: Confidence, target: Target) -> str:
    """The message with what has to be said about its sources."""
    parts = [message, *_disputed(rule, target)]
    if confidence == "unverified":
        parts.append("Unverified: check it on hardware.")
    return " ".join(parts)


def unreadable(catalog: Catalog, path: str, reason: str, line: int = 1, column: int = 1) -> Finding:
    """The NM000 finding for a file, or a statement of it, that was not analysed."""
    rule = catalog.rule("NM000")
    return Finding(
        code="NM000",
        name=rule.name if rule else "not-analysed",
        family="tool",
        path=path,
        line=line,
        column=column,
        end_line=line,
        end_column=column,
        message=f"Not analysed: {reason}.",
        risk=Risk.BREAKS,
        confidence="documented",
        not_fixed=reason,
        effort="low",
    )


def unused(catalog: Catalog, comments: Suppressions, lines: Lines, path: str) -> Iterator[Finding]:
    """The suppression comments that silenced nothing."""
    rule = catalog.rule(UNUSED)
    if rule is None:
        return
    for comment in comments.unused:
        line, column = lines.position(comment.start)
        yield Finding(
            code=rule.code,
            name=rule.name,
            family=rule.family,
            path=path,
            line=line,
            column=column,
            end_line=line,
            end_column=column + comment.end - comment.start,
            message=_MALFORMED if comment.malformed else rule.summary,
            risk=rule.risk,
            confidence=rule.confidence,
            not_fixed="correct it" if comment.malformed else "remove the comment",
        )


def _disputed(rule: Rule, target: Target) -> Iterator[str]:
    """That sources contradict each other, and what each of them says."""
    claims = [claim for claim in rule.disputed if claim.target in (None, target)]
    if claims:
        told = "; ".join(f"{claim.who} says {claim.says} ({claim.source})" for claim in claims)
        yield f"The sources disagree: {told}."
