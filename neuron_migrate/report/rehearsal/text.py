"""A rehearsal as plain text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from neuron_migrate.report.layout import (
    TOP,
    counted,
    item,
    more,
    one_line,
    paragraph,
    section,
    table,
)
from neuron_migrate.report.rehearsal import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.rehearsal.model import Comparison, Explanation, Outcome, Process, Rehearsal


def render(rehearsal: Rehearsal, *, sdk: str) -> str:
    """The whole report, at most 80 columns wide unless a path, a name or a line is longer."""
    sections = [
        _head(rehearsal, sdk),
        _outcome(rehearsal.outcome),
        section("Faults", _faults(rehearsal)),
        _comparison(rehearsal.comparison),
        section("Compilations", _bill(rehearsal)),
        section("Regions of torch.compile", _regions(rehearsal)),
        section("Copies", _transfers(rehearsal)),
        section("Waits of the host", _waits(rehearsal)),
        section("Collectives", _collectives(rehearsal)),
        section("Operators", _operators(rehearsal)),
        section("Dtypes that Neuron has not, or not everywhere", _dtypes(rehearsal)),
        section("Device memory", _memory(rehearsal)),
        section("Processes", _processes(rehearsal.processes)),
        section("Notes", _notes(rehearsal)),
    ]
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in sections if lines)


def _head(rehearsal: Rehearsal, sdk: str) -> list[str]:
    command = " ".join(rehearsal.command)
    torch = f" (torch {rehearsal.torch})" if rehearsal.torch else ""
    title = f"Rehearsal of {command}{torch} for Neuron SDK {sdk}"
    return [*paragraph(title, rest="  "), *paragraph(words.SIMULATION)]


def _outcome(outcome: Outcome) -> list[str]:
    lines = paragraph(f"Outcome: {words.ending(outcome)}")
    if outcome.ending != "raised":
        return lines
    for frame in outcome.frames:
        lines.append(f"  {one_line(str(frame.place))} in {one_line(frame.place.function)}")
        if frame.source:
            lines.append(f"    {one_line(frame.source)}")
    lines += paragraph(words.error(outcome), first="  ", rest="    ")
    for explanation in outcome.explanations:
        lines += _explanation(explanation)
    return lines if outcome.explanations else [*lines, *paragraph(words.UNEXPLAINED, first="  ")]


def _explanation(explanation: Explanation) -> list[str]:
    at = f"{explanation.place} " if explanation.place else ""
    name = f"{explanation.code} {explanation.name}: " if explanation.code else ""
    fix = f" `fix` rewrites it ({explanation.fix})." if explanation.fix else ""
    sources = [f"    {source}" for source in explanation.sources]
    return [*item(f"{at}{name}{explanation.message}{fix}"), *sources]


def _faults(rehearsal: Rehearsal) -> list[str]:
    return [
        line
        for fault in rehearsal.faults
        for line in item(
            fault.message + (f": {words.places(fault.places)}" if fault.places else "")
        )
    ]


def _comparison(comparison: Comparison | None) -> list[str]:
    if comparison is None:
        return []
    lines = paragraph(words.verdict(comparison), first="  ", rest="  ")
    for each in comparison.differences[:TOP]:
        lines += item(words.difference(each))
    lines += more(comparison.differing)
    for text in comparison.unmatched[:TOP]:
        lines += item(f"only {'on the device' if text[0] == '+' else 'on the CPU'}: {text[1:]}")
    lines += more(len(comparison.unmatched))
    for saved in comparison.saved[:TOP]:
        lines += item(words.saved(saved))
    lines += more(len(comparison.saved))
    lines += paragraph(words.COMPARED, first="  ", rest="  ")
    return section(one_line(words.reference(comparison)), lines)


def _bill(rehearsal: Rehearsal) -> list[str]:
    bill = rehearsal.bill
    if not bill.total:
        return []
    rows = [
        (str(site.place), str(site.compilations), words.known(site.padded), str(site.calls))
        for site in bill.sites[:TOP]
    ]
    varying = [
        line
        for each in bill.varying[:TOP]
        for line in item(f"{each.place} {each.operator} {each.operand}: {each.extra} more")
    ]
    title = paragraph("Lines that met other shapes when they ran again:", first="  ", rest="  ")
    return [
        *paragraph(words.total(bill), first="  ", rest="  "),
        *_cells(("line", "compiled", "padded", "calls"), rows),
        *more(len(bill.sites)),
        *([*title, *varying, *more(len(bill.varying))] if varying else []),
        *paragraph(f"{words.BILL} Time: {bill.why}.", first="  ", rest="  "),
        *(paragraph(words.PADDED, first="  ", rest="  ") if varying else []),
    ]


def _regions(rehearsal: Rehearsal) -> list[str]:
    lines: list[str] = []
    for region in rehearsal.regions[:TOP]:
        lines += paragraph(words.region(region), first="  ", rest="    ")
        texts = [words.captured(each) for each in region.captured[:TOP]]
        lines += [line for text in texts for line in _inner(text)]
        lines += [line for event in region.events[:TOP] for line in _inner(words.event(event))]
        lines += more(max(len(region.captured), len(region.events)))
    return [*lines, *more(len(rehearsal.regions))]


def _inner(text: str) -> list[str]:
    return paragraph(text, first="    * ", rest="      ")


def _collectives(rehearsal: Rehearsal) -> list[str]:
    rows = [
        (str(each.place), each.name, str(each.ranks), str(each.count), words.size(each.bytes))
        for each in rehearsal.collectives[:TOP]
    ]
    header = ("line", "", "ranks", "calls of each", "size on each")
    return _listed(header, rows, len(rehearsal.collectives))


def _transfers(rehearsal: Rehearsal) -> list[str]:
    rows = [
        (str(each.place), words.direction(each.direction), str(each.count), words.size(each.bytes))
        for each in rehearsal.transfers[:TOP]
    ]
    return _listed(("line", "", "copies", "size"), rows, len(rehearsal.transfers))


def _waits(rehearsal: Rehearsal) -> list[str]:
    rows = [(str(each.place), each.kind, str(each.count)) for each in rehearsal.waits[:TOP]]
    return _listed(("line", "by", "times"), rows, len(rehearsal.waits))


def _operators(rehearsal: Rehearsal) -> list[str]:
    lines: list[str] = []
    for support, group in groupby(rehearsal.operators, key=lambda use: use.support):
        uses = [*group]
        lines.append(f"  {words.SUPPORT[support]}: {counted(len(uses), 'operator')}")
        if support in ("fails", "falls_back"):
            for use in uses[:TOP]:
                at = words.places(use.places)
                lines += item(f"{use.name} ({use.rule}, {counted(use.calls, 'call')}): {at}")
            lines += more(len(uses))
        elif support == "unknown":
            names = ", ".join(use.name.removeprefix("aten::") for use in uses[:TOP])
            rest = f" and {len(uses) - TOP} more" if len(uses) > TOP else ""
            lines += paragraph(f"{names}{rest}", first="    ", rest="    ")
            lines += paragraph(words.UNKNOWN, first="    ", rest="    ")
    return lines


def _dtypes(rehearsal: Rehearsal) -> list[str]:
    uses = rehearsal.dtypes
    lines = [
        line
        for use in uses[:TOP]
        for line in item(f"{use.dtype}: {counted(use.calls, 'call')}, {words.places(use.places)}")
    ]
    return [*lines, *more(len(uses))]


def _memory(rehearsal: Rehearsal) -> list[str]:
    memory = rehearsal.memory
    if not memory.cores:
        return []
    limit = words.size(memory.limit)
    lines = [
        line
        for core in memory.cores[:TOP]
        for line in item(
            (f"rank {core.rank}, " if core.rank is not None else "")
            + f"core {core.core}: peak {words.size(core.peak)} of {limit}, reached at {core.place}"
        )
    ]
    why = f"{limit} for each logical core: {memory.why}. {words.MEMORY}"
    return [*lines, *more(len(memory.cores)), *paragraph(why, first="  ", rest="  ")]


def _notes(rehearsal: Rehearsal) -> list[str]:
    notes = rehearsal.notes
    texts = [f"{note.text} ({words.places(note.places)})" for note in notes[:TOP]]
    return [*(line for text in texts for line in item(text)), *more(len(notes))]


def _processes(processes: Sequence[Process]) -> list[str]:
    """Only where there is more than one; workers are summed up."""
    if len(processes) < 2:
        return []
    folded = words.folded(processes)
    rows = [
        (
            name,
            group[0].ending,
            str(group[0].compilations),
            words.size(group[0].peak),
            f"{max(each.seconds for each in group):.1f} s",
        )
        for name, group in folded[:TOP]
    ]
    header = ("process", "ended", "compiled", "peak", "time")
    return _listed(header, rows, len(folded))


def _listed(header: Sequence[str], rows: Sequence[Sequence[str]], number: int) -> list[str]:
    return [*_cells(header, rows), *more(number)] if rows else []


def _cells(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return table(header, [[one_line(cell) for cell in row] for row in rows])
