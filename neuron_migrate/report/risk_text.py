"""The risk report: what a run means, in plain text that fits a log file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report import exposure, risk_lists, since
from neuron_migrate.report.layout import counted, item, paragraph, section, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neuron_migrate.report.risk import Counts, Summary

_COLUMNS = ("findings", "fix --apply", "--unsafe", "by hand", "to know")
LIMITS = (
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


def render(summary: Summary, written: Applied | None = None) -> str:
    """The whole report, at most 80 columns wide unless a path or a URL is longer."""
    if not (summary.files_scanned or summary.skipped or summary.since):
        return f"Verdict: {summary.verdict}: there was nothing to read.\n"
    sections = (
        verdict(summary, written),
        since.lines(summary.since),
        risk_lists.blockers(summary.blockers),
        risk_lists.unread(summary.failed, summary.skipped),
        risk_lists.left_out(summary.skipped),
        _counts(summary),
        section("What is left", _items(remainder(summary.counts))),
        risk_lists.ranking(summary.rows),
        _unverified(unverified(summary.unverified)),
        _advice(summary.advice),
        exposure.lines(summary.exposure),
        _limits(),
    )
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections if lines)


def verdict(summary: Summary, written: Applied | None) -> list[str]:
    """The verdict, what it means and on how much it rests."""
    return [
        *paragraph(meaning(summary)),
        read(summary),
        *(paragraph(applied(written)) if written else ()),
    ]


def meaning(summary: Summary) -> str:
    """The verdict and what it means."""
    of = f"of {counted(summary.files_scanned, 'file')}"
    rows = sum(row.verdict == summary.verdict for row in summary.rows)
    words = {
        "ready": "nothing new" if summary.since else "reading finds nothing left to do",
        "auto": f"neuron-migrate fix --apply does all that is left, in {rows} {of}",
        "manual": f"a person must act on {rows} {of}" if rows else "not everything was analysed",
        "blocked": f"{rows} {of} need{'s' if rows == 1 else ''} something that has no Neuron path",
    }[summary.verdict]
    return f"Verdict: {summary.verdict}: {words}."


def read(summary: Summary) -> str:
    """How much was read."""
    return (
        f"{counted(summary.files_scanned, 'file')} read,"
        f" {summary.files_with_findings} with findings, {_unread_count(summary)} not analysed."
    )


def applied(written: Applied) -> str:
    """What was written, and how to take it back."""
    if not written.files:
        return "Nothing was written."
    fixed = f"Fixed {counted(written.fixes, 'finding')} in {counted(written.files, 'file')}."
    return f"{fixed} neuron-migrate undo takes it back."


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


def remainder(counts: Counts) -> list[str]:
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
    return left


def unverified(codes: Mapping[str, int]) -> str:
    """What is likely and not proven; nothing when everything is."""
    if not codes:
        return ""
    return (
        f"{counted(sum(codes.values()), 'finding')}: {_tally(codes)}. Nobody ran these on Trainium:"
        " what they say is likely, not proven. Try them first on hardware."
    )


def _unverified(text: str) -> list[str]:
    lines = paragraph(text, first="  ", rest="  ") if text else []
    return section("Unverified on hardware", lines)


def _advice(codes: Mapping[str, int]) -> list[str]:
    text = f"{_tally(codes)}. Reading cannot prove these; list them with --show-advice."
    lines = paragraph(text, first="  ", rest="  ")
    return section("Advice", lines if codes else [])


def _limits() -> list[str]:
    return section("What reading cannot tell", _items(LIMITS))


def _items(texts: Iterable[str]) -> list[str]:
    return [line for text in texts for line in item(text)]


def _tally(codes: Mapping[str, int]) -> str:
    return ", ".join(_times(code, number) for code, number in codes.items())


def _times(code: str, number: int) -> str:
    return code if number == 1 else f"{code} {number} times"
