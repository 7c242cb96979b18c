"""``check --write-part``: a run in a file, for ``report merge``."""

from __future__ import annotations

import sys
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.cli.locate import located
from neuron_migrate.cli.output import write_file
from neuron_migrate.parts.document import Choices, Evidence, File, Part, Skipped, encoded

if TYPE_CHECKING:
    from neuron_migrate.cli.session import Session
    from neuron_migrate.cli.sharing import Sharing
    from neuron_migrate.finding import FileResult


def write(session: Session) -> None:
    """Write what was asked for: what the run found, all advice included, and what reports show."""
    file = session.options.write_part
    if file is not None and session.sharing is not None:
        write_file(file, encoded(_part(session, session.sharing)))


def _part(session: Session, sharing: Sharing) -> Part:
    codes = {finding.code for result in session.results for finding in result.findings}
    return Part(
        shard=sharing.shard,
        choices=_choices(session, sharing),
        since=msgspec.structs.replace(session.since, share=None),
        rules=tuple(rule for rule in session.catalog.rules if rule.code in codes),
        files=tuple(_file(session, result) for result in session.results),
        skipped=tuple(
            Skipped(rank=rank, skip=skip)
            for rank, skip in zip(sharing.ranks, session.skipped, strict=True)
        ),
    )


def _file(session: Session, result: FileResult) -> File:
    found = result.findings
    evidence = tuple(
        Evidence(region=place.region, line=place.line, replacements=place.replacements)
        for place in located(session, [result], found)
    )
    text = session.text(result.path) if found else None
    return File(result=result, evidence=evidence, text=text)


def _choices(session: Session, sharing: Sharing) -> Choices:
    settings, narrowing = session.settings, session.narrowing
    known = narrowing.baseline.document() if narrowing.baseline else b""
    return Choices(
        target=settings.target,
        sdk=session.sdk,
        select=settings.select,
        ignore=settings.ignore,
        extend_select=settings.extend_select,
        per_file_ignores=settings.per_file_ignores,
        exclude=settings.exclude,
        force_exclude=settings.force_exclude,
        include_docs=settings.include_docs,
        fail_on=settings.fail_on,
        show_advice=settings.show_advice,
        unsafe=settings.unsafe,
        rules=session.catalog.fingerprint.hex(),
        baseline=blake2b(known, digest_size=16).hexdigest() if known else "",
        diff_base=narrowing.compared_with(session.options),
        python=".".join(map(str, sys.version_info[:2])),
        files=sharing.paths,
    )
