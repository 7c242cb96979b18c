"""The parts of one run as the whole, and the runs in several repositories as one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.errors import UsageError
from neuron_migrate.files.shard import Shard
from neuron_migrate.parts import checks
from neuron_migrate.parts.document import Choices
from neuron_migrate.report.since import Known, Since

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.parts.document import Part
    from neuron_migrate.parts.named import Named

_SAID_ONCE = ("target", "sdk", "fail_on", "show_advice")
"""What a report says once, whatever it is about."""


def merged(parts: Sequence[Named]) -> Part:
    """The whole, as if one run had made it.

    Parts that have a name in common are shards of one run. Raises UsageError when one is missing or
    there twice, when they were not asked for the same, and when two have read the same file.
    """
    by_name = groupby(sorted(parts, key=_name), _name)
    runs = [_run([each.placed() for each in group]) for _, group in by_name]
    checks.agree(runs, _SAID_ONCE)
    checks.disjoint(runs)
    return _joined(runs, _since([run.part.since for run in runs]))


def _name(named: Named) -> str:
    return named.name


def _run(parts: Sequence[Named]) -> Named:
    """What the shards of one run hold."""
    checks.complete(parts)
    checks.agree(parts, Choices.__struct_fields__)
    checks.disjoint(parts)
    whole = _joined(parts, _added([each.part.since for each in parts]))
    skipped = tuple(sorted(whole.skipped, key=lambda each: each.rank))
    return msgspec.structs.replace(parts[0], part=msgspec.structs.replace(whole, skipped=skipped))


def _joined(parts: Sequence[Named], since: Since) -> Part:
    return msgspec.structs.replace(
        parts[0].part,
        shard=Shard(),
        since=since,
        rules=_rules(parts),
        files=tuple(file for each in parts for file in each.part.files),
        skipped=tuple(path for each in parts for path in each.part.skipped),
    )


def _rules(parts: Sequence[Named]) -> tuple[Rule, ...]:
    found: dict[str, tuple[Rule, str]] = {}
    for each in parts:
        for rule in each.part.rules:
            known, source = found.setdefault(rule.code, (rule, each.source))
            if known != rule:
                raise UsageError(f"{source} and {each.source} have different rules {rule.code}")
    return tuple(rule for rule, _ in found.values())


def _added(shards: Sequence[Since]) -> Since:
    """What the shards of one run leave out."""
    known = [each.baseline for each in shards if each.baseline]
    elsewhere = sum(each.elsewhere for each in shards)
    return Since(_baseline(known), shards[0].revision, elsewhere)


def _since(runs: Sequence[Since]) -> Since:
    """What the runs in several repositories leave out, each against something of its own."""
    known = [each.baseline for each in runs if each.baseline]
    revision = _listed(each.revision for each in runs if each.revision)
    return Since(_baseline(known), revision, sum(each.elsewhere for each in runs))


def _baseline(known: Sequence[Known]) -> Known | None:
    if not known:
        return None
    file = _listed(each.file for each in known)
    return Known(file, sum(each.known for each in known), sum(each.gone for each in known))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(names))
