"""The risk report: what a run means, in plain text that fits a log file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report import exposure, risk_lists, since
from neuron_migrate.report.layout import counted, item, paragraph, section, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from neuron_migrate.report.risk import Counts, Summary

_COLUMNS = ("findings", "fix --apply", "--unsafe", "by hand", "to know")
_LIMITS = (
    (
        "CPU fallbacks at run time: an operator without a Neuron kernel runs on the CPU, correct"
        " but slow. After a few steps call torch.neuron.synchronize(), then read"
        " torch_neuronx.get_fallback_ops()."
    ),
    (
        "Compilation: every new input shape costs about a minute. Run with"
        ' TORCH_LOGS="recompiles,graph_breaks" and look for shapes that never settle.'
    ),
    (
        "Numerics: 64-bit types are computed in 32 bits, and random streams differ from CUDA."
        " Compare losses and a few outputs with a CPU run."
    ),
    "Cost and speed: only a run on the instance you will pay for shows them.",
)


class Applied(msgspec.Struct, frozen=True):
    """What a ``fix --apply`` has written."""

    fixes: int
    files: int


def render(summary: Summary, applied: Applied | None = None) -> str:
    """The whole report, at most 80 columns wide unless a path or a URL is longer."""
    if not (summary.files_scanned or summary.skipped or summary.since):
        return f"Verdict: {summary.verdict}: there was nothing to read.\n"
    sections = (
        _verdict(summary, applied),
        since.lines(summary.since),
        risk_lists.blockers(summary.blockers),
        risk_lists.unread(summary.failed, summary.skipped),
        risk_lists.left_out(summary.skipped),
        _counts(summary),
        _remainder(summary.counts),
        risk_lists.ranking(summary.rows),
        _unverified(summary.unverified),
        _advice(summary.advice),
        exposure.lines(summary.exposure),
        _limits(),
    )
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections if lines)


def _verdict(summary: Summary, applied: Applied | None) -> list[str]:
    of = f"of {counted(summary.files_scanned, 'file')}"
    rows = sum(row.verdict == summary.verdict for row in summary.rows)
    meaning = {
        "ready": "nothing new" if summary.since else "reading finds nothing left to do",
        "auto": f"neuron-migrate fix --apply does all that is left, in {rows} {of}",
        "manual": f"a person must act on {rows} {of}" if rows else "not everything was analysed",
        "blocked": f"{rows} {of} need{'s' if rows == 1 else ''} something that has no Neuron path",
    }[summary.verdict]
    read = (
        f"{counted(summary.files_scanned, 'file')} read,"
        f" {summary.files_with_findings} with findings, {_unread_count(summary)} not analysed."
    )
    return [
        *paragraph(f"Verdict: {summary.verdict}: {meaning}."),
        read,
        *(_applied(applied) if applied else ()),
    ]


def _applied(applied: Applied) -> list[str]:
    if not applied.files:
        return ["Nothing was written."]
    fixed = f"Fixed {counted(applied.fixes, 'finding')} in {counted(applied.files, 'file')}."
    return paragraph(f"{fixed} neuron-migrate undo takes it back.")


def _unread_count(summary: Summary) -> int:
    return summary.files_failed + sum(skip.failed for skip in summary.skipped)


def _counts(summary: Summary) -> list[str]:
    if not summary.counts.total:
        return []
    risks = [_cells(risk.value, counts) for risk, counts in summary.by_risk.items()]
    families = [_cells(family, counts) for family, counts in summary.by_family.items()]
    total = _cells("total", summary.counts)
    both = table(("", *_COLUMNS), [*risks, total, *families])
    split = len(risks) + 2
    return [*section("By risk", both[:split]), "", "By family", both[0], *both[split:]]


def _cells(name: str, counts: Counts) -> tuple[str, ...]:
    numbers = (counts.total, counts.safe, counts.unsafe, counts.by_hand, counts.note)
    return (name, *(str(number or "-") for number in numbers))


def _remainder(counts: Counts) -> list[str]:
    """Who does what: the tool, the tool when told to, a person."""
    left = []
    if counts.safe:
        left.append(f"neuron-migrate fix --apply fixes {counted(counts.safe, 'finding')}.")
    if counts.unsafe:
        left.append(
            f"With --unsafe it would fix {counts.unsafe} more, which changes behaviour: read that"
            " diff."
        )
    if counts.by_hand:
        left.append(f"{counted(counts.by_hand, 'finding')} left for a person to do by hand.")
    return section("What is left", [line for text in left for line in item(text)])


def _unverified(codes: Mapping[str, int]) -> list[str]:
    lines = paragraph(
        f"{counted(sum(codes.values()), 'finding')}: {_tally(codes)}. Nobody ran these on Trainium:"
        " what they say is likely, not proven. Try them first on hardware.",
        first="  ",
        rest="  ",
    )
    return section("Unverified on hardware", lines if codes else [])


def _advice(codes: Mapping[str, int]) -> list[str]:
    text = f"{_tally(codes)}. Reading cannot prove these; list them with --show-advice."
    lines = paragraph(text, first="  ", rest="  ")
    return section("Advice", lines if codes else [])


def _limits() -> list[str]:
    return section("What reading cannot tell", [line for text in _LIMITS for line in item(text)])


def _tally(codes: Mapping[str, int]) -> str:
    return ", ".join(_times(code, number) for code, number in codes.items())


def _times(code: str, number: int) -> str:
    return code if number == 1 else f"{code} {number} times"
