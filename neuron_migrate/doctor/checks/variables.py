"""Environment variables of this process, which programs that it starts inherit."""

from __future__ import annotations

from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import partial
from typing import TYPE_CHECKING

from neuron_migrate.catalog.patterns import VariableMatch
from neuron_migrate.doctor.verdict import Check, Verdict
from neuron_migrate.finding import Risk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.catalog.machine import MachineFacts, VariableAdvice

_check = partial(Check, section="variables")
_OURS = ("NEURON_", "TORCH_NEURONX_")


def checks(
    variables: Mapping[str, str], catalog: Catalog, facts: MachineFacts, packages: Collection[str]
) -> Iterator[Check]:
    """What there is to say about the variables, with these packages installed."""
    spoken: set[str] = set()
    for check in _by_rules(variables, catalog):
        spoken.add(check.name)
        yield check
    for advice in facts.variables:
        if not advice.beside or advice.beside in packages:
            yield from _advised(advice, variables, spoken)
    for name in sorted(variables):
        if name.startswith(_OURS) and name not in spoken:
            yield _of_neuron(name, variables[name], facts)


def _by_rules(variables: Mapping[str, str], catalog: Catalog) -> Iterator[Check]:
    for rule in catalog.rules:
        if not isinstance(rule.match, VariableMatch):
            continue
        for name in rule.match.names:
            value = variables.get(name)
            wanted = value is not None and (not rule.match.values or value in rule.match.values)
            if value is None or not wanted or (rule.match.to or "") in variables:
                continue
            serious = rule.risk.rank <= Risk.CPU.rank and not rule.advice
            yield _check(
                name=name,
                seen=f"{name}={value}",
                verdict=Verdict.PROBLEM if serious else Verdict.NOTE,
                means=f"{rule.summary} {' '.join(rule.why.split())}",
                fix=_way_out(name, value, rule.match),
                sources=rule.sources,
                disputed=rule.disputed,
            )


def _way_out(name: str, value: str, pattern: VariableMatch) -> str:
    if pattern.unless_imported:
        return f"unset {name}, or let the program import {pattern.unless_imported}."
    if value in pattern.hides:
        return f"unset {name}, and choose the CPU in the program: no other variable does it."
    if pattern.to is not None:
        return f"Set {pattern.to}; unset {name}."
    return f"unset {name}"


def _advised(
    advice: VariableAdvice, variables: Mapping[str, str], spoken: set[str]
) -> Iterator[Check]:
    """Set ones that deserve a word, and the one that had to be set."""
    for name in sorted(variables):
        if advice.speaks_of(name) and name not in spoken:
            spoken.add(name)
            value = variables[name]
            deserved = any(fnmatchcase(value, each) for each in advice.values)
            if deserved or (advice.unless and value.lower() not in advice.unless):
                yield _note(advice, name, f"{name}={value}")
    for name in advice.names:
        if advice.unless and name not in variables:
            yield _note(advice, name, f"{name} is not set")


def _note(advice: VariableAdvice, name: str, seen: str) -> Check:
    return _check(
        name=name,
        seen=seen,
        verdict=Verdict.NOTE,
        means=advice.means,
        fix=advice.fix,
        sources=advice.sources,
    )


def _of_neuron(name: str, value: str, facts: MachineFacts) -> Check:
    says = partial(_check, name=name, seen=f"{name}={value}")
    for group in facts.known:
        if any(fnmatchcase(name, each) for each in group.names):
            return says(verdict=Verdict.OK, means="It is documented.", sources=(group.source,))
    close = get_close_matches(name, [each for group in facts.known for each in group.names], n=1)
    return says(
        verdict=Verdict.UNKNOWN,
        means="No document that the catalog rests on names it.",
        fix=f"Did you mean {close[0]}?" if close else "",
        sources=tuple(dict.fromkeys(group.source for group in facts.known))[:2],
    )
