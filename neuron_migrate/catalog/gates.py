"""Which packages a file must import for rules to be able to fire in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from neuron_migrate.catalog import patterns as p

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.catalog.patterns import Match
    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.catalog.text_patterns import FactMatch


class Gate(NamedTuple):
    """Trigger words that only matter in a file that imports one of some packages."""

    packages: frozenset[str]
    """Top-level packages; empty when nothing is asked for."""
    words: frozenset[str]


def gates(rules: Iterable[Rule]) -> tuple[Gate, ...]:
    """The trigger words of the rules, by what the file must import."""
    found: dict[frozenset[str], set[str]] = {}
    for rule in rules:
        found.setdefault(_packages(rule.match), set()).update(rule.triggers)
    return tuple(Gate(packages, frozenset(words)) for packages, words in found.items())


def _packages(match: Match | FactMatch) -> frozenset[str]:
    """The packages that every name a rule asks for resolves to; nothing when some need none."""
    if isinstance(match, (p.CallMatch, p.ValueMatch)) and match.requires:
        return frozenset(match.requires)
    roots = {path.partition(".")[0] for path in _paths(match)}
    if any(not root.isidentifier() or root == "builtins" for root in roots):
        return frozenset()
    return frozenset(roots)


def _paths(match: Match | FactMatch) -> Iterator[str]:
    """The dotted paths without which a rule finds nothing; an empty one when there are none."""
    if isinstance(match, (p.CallMatch, p.EnvironmentMatch)):
        yield from match.functions
    elif isinstance(match, p.NamesMatch):
        yield from (*(entry.name for entry in match.names), *match.modules, *match.prefixes)
    elif isinstance(match, p.MovedMatch):
        yield from (*match.homes, *(home for entry in match.names for home in entry.homes))
    elif isinstance(match, p.GoneMatch):
        yield from (*match.packages, *(entry.name for entry in match.names))
    elif isinstance(match, p.DtypeMatch):
        yield from (*match.dtypes, *match.methods)
    elif isinstance(match, p.RemovedMatch):
        yield from match.names
    elif isinstance(match, p.SettingMatch):
        yield from (setting.name for setting in match.settings)
    else:
        yield ""
