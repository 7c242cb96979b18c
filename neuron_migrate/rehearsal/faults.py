"""What makes a rehearsal fail although the program ended well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.rehearsal.model import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from neuron_migrate.rehearsal.model import Bill, Comparison, Memory, OperatorUse, Region

GIB = 1024**3
_UNCOMPILED = {
    "failure": "would not compile, and the program went on without it",
    "limit": "is compiled no further: other inputs run operator by operator",
}
"""What was not asked for: a program that asks for `fallback` gets what it asks for."""


def faults(
    bill: Bill, operators: Sequence[OperatorUse], memory: Memory, moved: bool
) -> Iterator[Fault]:
    """A device that nobody used, operators that a source says fail, and too little memory.

    ``moved`` says whether anything was copied to the device.
    """
    if not bill.total and not operators and not moved and not memory.cores:
        yield Fault(
            kind="device-unused",
            message="nothing ran on the Neuron device: the program kept to the CPU",
        )
    for use in operators:
        if use.support == "fails":
            yield Fault(
                kind="operator-fails",
                message=f"{use.name} does not compile with these operands ({use.rule})",
                places=use.places,
            )
    for core in memory.cores:
        if core.peak > memory.limit:
            yield Fault(
                kind="memory",
                message=f"{core.peak / GIB:.1f} GiB on core {core.core},"
                f" which has {memory.limit / GIB:.0f} GiB",
                places=(core.place,),
            )


def of_comparison(comparison: Comparison) -> Iterator[Fault]:
    """Other numbers than on the CPU, or none that could be compared."""
    message = {
        "differs": "the program prints or saves other numbers than on the CPU",
        "nothing": "the program prints and saves no number that could be compared",
        "failed": f"the run on the CPU failed: {comparison.error}",
    }.get(comparison.verdict)
    if message is not None:
        yield Fault(kind="comparison", message=message)


def of_regions(regions: Iterable[Region]) -> Iterator[Fault]:
    """Regions that do not run compiled although the program asks for it."""
    for region in regions:
        for event in region.events:
            if event.kind in _UNCOMPILED:
                yield Fault(
                    kind="not-compiled",
                    message=f"{region.place.function or region.place} {_UNCOMPILED[event.kind]}"
                    f" ({event.reason})",
                    places=(event.place,),
                )
