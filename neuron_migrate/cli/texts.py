"""The texts that findings speak of, for a report that shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from neuron_migrate.files import source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding


def of(
    session: Session, results: Sequence[FileResult], findings: Iterable[Finding]
) -> dict[str, str]:
    """The texts that the findings of the results describe, by path, as far as they can be read."""
    paths = dict.fromkeys(finding.path for finding in findings)
    texts = {path: _text(session, results, path) for path in paths}
    return {path: text for path, text in texts.items() if text is not None}


def _text(session: Session, results: Sequence[FileResult], path: str) -> str | None:
    data = session.stdin
    if data is not None and results is not session.results:
        return session.results[0].fixed
    try:
        read = source.read(session.settings.root / path) if data is None else data
        return source.decode(read).text
    except source.SourceError:
        return None
