"""Wording that the formats of a rehearsal share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.finding import BUCKET
from neuron_migrate.report.layout import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.rehearsal import Support
    from neuron_migrate.rehearsal.model import (
        Bill,
        Captured,
        Comparison,
        Difference,
        Event,
        Outcome,
        Place,
        Process,
        Region,
        Saved,
        Seconds,
    )

SIMULATION = (
    "A simulation on the CPU, not a run on Trainium. It shows that the program finds the device,"
    " keeps its tensors there and gets to its end, which shapes it makes, and which lines copy or"
    " wait. It cannot show speed, numbers as Trainium rounds them, whether the compiler takes a"
    " graph, or what the real runtime does."
)
BILL = (
    "Eager mode compiles each operator for each shape and dtype of its operands and for each value"
    " of the arguments that are compiled in (dim=1), a region of torch.compile once for each shape"
    " of its inputs. An upper bound: TorchNeuron may fuse operators, and keeps what it compiled."
    " Whether numbers such as a learning rate are compiled in is not public; here they are not."
)
PADDED = (
    f"Padded means: each size that changes when a line runs again, or the length in it"
    f" where it is a flattened product, rounded up to a multiple of {BUCKET}. Assumed: a size"
    " changes if its line met it only after more data came to the device or the host had waited,"
    " while operands of the size of a parameter stayed. A loop that waits for activations of"
    " different sizes in one step, as in a pyramid of features, is taken for it as well."
)
MEMORY = (
    "Tensors as the CPU stores them, each storage once. Not seen: what the allocator rounds up or"
    " fragments, the compiler's scratch space, the code of graphs, buffers of collectives."
)
SUPPORT: dict[Support, str] = {
    "fails": "does not compile",
    "falls_back": "may run on the CPU",
    "unknown": "not known",
    "runs": "runs",
}
UNKNOWN = (
    "Not known means that no public source in the catalog speaks of the operator, for or against."
    " TorchNeuron keeps a table of them:"
    " https://github.com/aws-neuron/torch-neuronx/blob/main/docs/torch_api_compatibility.md"
)
COMPARED = (
    "Both runs began with the same files, the same seed and no standard input. On the CPU `neuron`"
    " and `cuda` are the CPU, torch.neuron and torch.cuda answer as with a device, autocast casts"
    " what it casts on one, and torch.compile compiles nothing. The simulated device computes with"
    " the kernels of the CPU: equal numbers show that the rewrite kept the mathematics, not how"
    " Trainium rounds."
)
EVENTS = {
    "break": "graph break",
    "recompile": "recompiled",
    "limit": "compiled no further, runs eagerly",
    "failure": "refused by the compiler",
    "fallback": "refused by the compiler, ran eagerly as asked for",
    "inductor": "asked for Inductor",
}
UNEXPLAINED = "No rule explains it: the cause may have nothing to do with the device."
_DIRECTIONS = {
    "to_device": "to the device",
    "to_host": "to the host",
    "between_devices": "between devices",
}
_SAVED = {
    "equal": "equal",
    "differs": "differs",
    "not-compared": "not compared",
    "device-only": "written on the device only",
    "cpu-only": "written on the CPU only",
}
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")


def ending(outcome: Outcome) -> str:
    """How the program ended."""
    if outcome.ending == "killed":
        return _killed(outcome)
    return {
        "finished": "It ran to its end.",
        "exited": f"It ended itself with status {outcome.status}.",
        "interrupted": "It was interrupted; what follows is what ran until then.",
        "raised": "It stopped with an exception"
        + (f" on rank {outcome.rank}." if outcome.rank is not None else "."),
    }[outcome.ending]


def _killed(outcome: Outcome) -> str:
    status = outcome.status
    before = (
        "; what follows is what ran until shortly before"
        if outcome.recorded
        else " before it could write its recording"
    )
    by = f"by signal {-status}" if status < 0 else f"with status {status}"
    hint = " (out of memory on this machine?)" if status == -9 else ""
    return f"It ended {by}{hint}{before}."


def error(outcome: Outcome) -> str:
    """The exception as Python's last line has it; of a message the first line."""
    first = outcome.message.strip().partition("\n")[0]
    return f"{outcome.exception}: {first}" if first else outcome.exception


def total(bill: Bill) -> str:
    """What is compiled, how long, and what padding makes of it."""
    regions = f" ({counted(bill.regions, 'graph')} of torch.compile)" if bill.regions else ""
    return f"{counted(bill.total, 'compilation')}{regions}, {span(bill.seconds)}. {_padded(bill)}"


def _padded(bill: Bill) -> str:
    if bill.padded is None or bill.padded_seconds is None:
        return "What padding would change is not known: nobody recorded which shapes came later."
    if bill.padded == bill.total:
        return f"Padding to multiples of {BUCKET} would not change that."
    return f"Padded to multiples of {BUCKET}: {bill.padded}, {span(bill.padded_seconds)}."


def region(region: Region) -> str:
    """A function and its compilations."""
    padded = "" if region.padded in (None, region.graphs) else f", padded {region.padded}"
    name = f" {region.place.function}" if region.place.function else ""
    return f"{region.place}{name}: {counted(region.graphs, 'compilation')}{padded}"


def captured(captured: Captured) -> str:
    """Graphs of a region that differ in sizes."""
    padded = "" if captured.padded in (None, captured.graphs) else f", padded {captured.padded}"
    inputs = ", ".join(captured.inputs) or "no tensor"
    graphs, calls = counted(captured.graphs, "graph"), counted(captured.calls, "call")
    return f"{captured.kind} of {inputs}: {graphs}{padded}, {calls}"


def event(event: Event) -> str:
    """What happened while a region was compiled."""
    times = f" ({event.count} times)" if event.count > 1 else ""
    return f"{EVENTS[event.kind]} at {event.place}{times}: {event.reason}"


def folded(processes: Sequence[Process]) -> list[tuple[str, list[Process]]]:
    """Processes that did the same under one name: ``ranks 0-3``, ``2 workers``."""
    alike: dict[tuple[object, ...], list[Process]] = {}
    for each in processes:
        is_rank = each.rank is not None
        key = (is_rank, each.kind, each.ending, each.compilations, each.peak)
        alike.setdefault(key, []).append(each)
    return [(_process(group), group) for group in alike.values()]


def _process(group: Sequence[Process]) -> str:
    ranks = sorted(each.rank for each in group if each.rank is not None)
    if not ranks:
        return group[0].kind if len(group) == 1 else counted(len(group), group[0].kind)
    if len(ranks) == 1:
        return f"rank {ranks[0]}"
    if ranks == [*range(ranks[0], ranks[-1] + 1)]:
        return f"ranks {ranks[0]}-{ranks[-1]}"
    return f"ranks {', '.join(map(str, ranks))}"


def known(number: int | None) -> str:
    """A number, or a dash where it is not known."""
    return "-" if number is None else str(number)


def span(seconds: Seconds) -> str:
    """From and to: ``2 minutes to 1.0 hours``."""
    return f"{_time(seconds.least)} to {_time(seconds.most)}"


def _time(seconds: int) -> str:
    if seconds < 120:
        return counted(seconds, "second")
    minutes = round(seconds / 60)
    return f"{minutes} minutes" if minutes < 90 else f"{seconds / 3600:.1f} hours"


def verdict(comparison: Comparison) -> str:
    """What came of the comparison, in a sentence or two."""
    if comparison.verdict == "failed":
        failed = f"The run on the CPU failed with status {comparison.status}"
        return f"{failed}: {comparison.error}" if comparison.error else f"{failed}."
    if comparison.verdict == "not-run":
        return "Not compared: the program did not end well on the device."
    said = {
        "equal": "Equal",
        "differs": "Not equal",
        "nothing": "Nothing to compare: no number was printed or saved by both",
    }[comparison.verdict]
    return f"{said}. {_compared(comparison)}"


def _compared(comparison: Comparison) -> str:
    parts = [f"{counted(comparison.numbers, 'number')} compared"]
    if comparison.differing:
        parts.append(f"{counted(comparison.differing, 'place')} with another number")
    if comparison.aside:
        parts.append(f"{comparison.aside} set aside as times, rates or memory")
    if comparison.varying:
        parts.append(f"{comparison.varying} set aside as different in two runs on the CPU too")
    return f"{', '.join(parts)}; relative tolerance {comparison.tolerance:g}."


def difference(each: Difference) -> str:
    """Where a number is another one, and both."""
    at = each.where if each.line is None else f"{each.where}:{each.line}"
    more = f" ({each.numbers} numbers)" if each.numbers > 1 else ""
    return f"{at} {each.text}: {each.found} on the device, {each.expected} on the CPU{more}"


def reference(comparison: Comparison) -> str:
    """What was compared with."""
    same = comparison.program == "cpu"
    return "Compared with the CPU" if same else f"Compared with {comparison.program} on the CPU"


def saved(each: Saved) -> str:
    """What came of a file."""
    numbers = f", {counted(each.numbers, 'number')}" if each.numbers else ""
    why = f": {each.why}" if each.why else ""
    return f"{each.path}: {_SAVED[each.status]}{numbers}{why}"


def direction(name: str) -> str:
    """Where a copy goes."""
    return _DIRECTIONS.get(name, name)


def size(number: int) -> str:
    """Bytes in the unit that fits."""
    value, unit = float(number), 0
    while value >= 1024 and unit < len(_UNITS) - 1:
        value, unit = value / 1024, unit + 1
    return f"{number} B" if unit == 0 else f"{value:.1f} {_UNITS[unit]}"


def places(found: Sequence[Place], most: int = 3) -> str:
    """The first places, and how many there are beside."""
    rest = f" and {len(found) - most} more" if len(found) > most else ""
    return ", ".join(map(str, found[:most])) + rest
