"""Parts for the tests."""

from __future__ import annotations

from typing import Any

from neuron_migrate.files.shard import Shard
from neuron_migrate.finding import FileResult, Risk
from neuron_migrate.parts.document import Choices, Evidence, File, Part
from neuron_migrate.parts.named import Named
from neuron_migrate.report.located import Region
from neuron_migrate.report.since import Since


def choices(**given: Any) -> Choices:
    facts: dict[str, Any] = {
        "target": "neuron",
        "sdk": "2.33",
        "select": (),
        "ignore": (),
        "extend_select": (),
        "per_file_ignores": {},
        "exclude": (),
        "force_exclude": False,
        "include_docs": False,
        "fail_on": Risk.CPU,
        "show_advice": False,
        "rules": "a",
        "baseline": "",
        "diff_base": (),
        "python": "3.11",
        "files": "b",
    }
    return Choices(**{**facts, **given})


def named(
    source: str,
    *results: FileResult,
    shard: Shard = Shard(),  # noqa: B008 - it is frozen
    name: str = "",
    since: Since = Since(),  # noqa: B008
    own: tuple[Any, ...] = (),
    **chosen: Any,
) -> Named:
    """A part as if read from a file."""
    evidence = Evidence(region=Region(1, 1, 1, 2))
    files = tuple(
        File(result=result, evidence=(evidence,) * len(result.findings)) for result in results
    )
    part = Part(
        shard=shard,
        choices=choices(**chosen),
        since=since,
        rules=own,
        files=files,
        skipped=(),
    )
    return Named(source=source, name=name, part=part)
