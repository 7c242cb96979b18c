"""What findings have in common, whatever kind of file they are in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.finding import Finding, Risk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.draft import Draft
    from neuron_migrate.engine.suppression import Suppressions
    from neuron_migrate.engine.texts.document import Report
    from neuron_migrate.files.lines import Lines
    from neuron_migrate.finding import Confidence, Safety, Target

UNUSED = "NM001"
"""The code of a suppression comment that silences nothing."""
_MALFORMED = (
    "This comment is not understood and suppresses nothing: write `ignore`, `ignore[NM101, NM2]` "
    "or `ignore-file`."
)


def shown(
    said: Draft | Report, span: tuple[int, int], lines: Lines, path: str, target: Target
) -> Finding:
    """What becomes of something said about a place, whose offsets are ``span``."""
    rule, is_safe = said.rule, said.fix == "safe"
    line, column = lines.position(span[0])
    end_line, end_column = lines.position(span[1])
    return Finding(
        code=rule.code,
        name=rule.name,
        family=rule.family,
        path=path,
        line=line,
        column=column,
        end_line=end_line,
        end_column=end_column,
        message=_full(said.message, rule, said.confidence, target),
        risk=said.risk,
        confidence=said.confidence,
        fix=said.fix,
        not_fixed=None if is_safe else said.not_fixed or _why_not(said.fix, rule),
        effort="none" if is_safe else rule.effort,
        blocked=said.blocked and said.fix is None,
        advice=rule.advice,
        edits=tuple(sorted(set(said.edits))),
        span=span,
    )


def _why_not(fix: Safety | None, rule: Rule) -> str:
    if fix == "unsafe":
        return "the fix changes behaviour that a person should look at (--unsafe applies it)"
    return rule.not_fixed or "there is no rewrite that can be proven; see `explain`"


def _full(message: str, rule: Rule, confidence: Confidence, target: Target) -> str:
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
