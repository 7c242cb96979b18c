"""The operators of a program: what public sources say of each, and which dtypes Neuron has not."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

from neuron_migrate.rehearsal.model import DtypeUse, OperatorUse, Place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from neuron_migrate.catalog.rehearsal import OperatorFact, Support
    from neuron_migrate.rehearse.recording import Line, Operator, Recording

Kind = Literal["64-bit", "complex", "fp8"]
WORST: tuple[Support, ...] = ("fails", "falls_back", "unknown", "runs")
_WIDE = ("float64", "int64", "uint64")


def supported(
    recordings: Iterable[Recording],
    facts: Sequence[OperatorFact],
    place: Callable[[Line], Place],
) -> tuple[OperatorUse, ...]:
    """Every operator, those that fail first, then by calls."""
    calls: Counter[tuple[str, bool, Support, str]] = Counter()
    places: dict[tuple[str, bool, Support, str], Counter[Place]] = {}
    for recording in recordings:
        for operator in recording.operators:
            key = (bare(operator.name), bool(operator.graph), *_support(operator, facts))
            calls[key] += operator.count
            places.setdefault(key, Counter())[place(operator.line)] += operator.count
    found = (
        OperatorUse(
            name=key[0],
            compiled=key[1],
            support=key[2],
            rule=key[3],
            calls=count,
            places=_by_count(places[key]),
        )
        for key, count in calls.items()
    )
    return tuple(sorted(found, key=lambda u: (WORST.index(u.support), -u.calls, u.name)))


def bare(name: str) -> str:
    """An operator without its overload: ``aten::add.Tensor`` is ``aten::add``."""
    return name.partition(".")[0]


def _support(operator: Operator, facts: Iterable[OperatorFact]) -> tuple[Support, str]:
    """What is known of a call, and the rule that says so."""
    dtypes_ = [operand.dtype for operand in operator.operands]
    for fact in facts:
        support = fact.support(bare(operator.name), dtypes_, bool(operator.graph))
        if support != "unknown":
            return support, fact.rule
    return "unknown", ""


def dtypes(recordings: Iterable[Recording], place: Callable[[Line], Place]) -> tuple[DtypeUse, ...]:
    """The 64-bit, complex and FP8 dtypes that operators were given, by use."""
    calls: Counter[tuple[Kind, str]] = Counter()
    places: dict[tuple[Kind, str], Counter[Place]] = {}
    for recording in recordings:
        for operator in recording.operators:
            for dtype in {operand.dtype for operand in operator.operands}:
                kind = _kind(dtype)
                if kind is not None:
                    calls[kind, dtype] += operator.count
                    at = places.setdefault((kind, dtype), Counter())
                    at[place(operator.line)] += operator.count
    found = (
        DtypeUse(kind=key[0], dtype=key[1], calls=count, places=_by_count(places[key]))
        for key, count in calls.items()
    )
    return tuple(sorted(found, key=lambda use: (use.kind, -use.calls, use.dtype)))


def _kind(dtype: str) -> Kind | None:
    if dtype in _WIDE:
        return "64-bit"
    if dtype.startswith("complex"):
        return "complex"
    return "fp8" if dtype.startswith("float8") else None


def _by_count(places: Counter[Place]) -> tuple[Place, ...]:
    return tuple(sorted(places, key=lambda each: (-places[each], each)))
