"""Of what a check finds, only what is new."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.files.shard import Shard
from neuron_migrate.report.since import Known
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from neuron_migrate.cli.options import Options
    from neuron_migrate.cli.session import Session
    from neuron_migrate.settings import Settings
    from neuron_migrate.since.baseline import Baseline
    from neuron_migrate.since.revision import Revision


class Narrowing(msgspec.Struct, frozen=True):
    """What is known before a run, and hides what it finds."""

    baseline: Baseline | None = None
    revision: Revision | None = None

    @classmethod
    def asked(cls, options: Options, settings: Settings) -> Narrowing:
        """What the command line and the configuration ask for; raises UsageError."""
        baseline = revision = None
        if options.diff_base is not None:
            from neuron_migrate.since.revision import Revision

            revision = Revision(options.diff_base, options.paths or [Path()])
        if settings.baseline is not None and options.write_baseline is None:
            from neuron_migrate.since.baseline import Baseline

            baseline = Baseline.read(settings.baseline, settings.root)
        return cls(baseline, revision)

    def touched(self, files: tuple[Path, ...]) -> tuple[Path, ...]:
        """The files in which something can be new."""
        if self.revision is None:
            return files
        return tuple(file for file in files if self.revision.touches(file))

    def compared_with(self, options: Options) -> tuple[str, ...]:
        """The revision that was asked for and the commits it leads to."""
        return (options.diff_base or "", *self.revision.commits) if self.revision else ()

    def narrowed(self, session: Session) -> Session:
        """The session with what is new."""
        baseline = _written(session) if self.baseline is None else self.baseline
        if baseline is not None:  # first: it counts the occurrences in a whole file
            session = _since_baseline(session, baseline)
        return session if self.revision is None else _since_revision(session, self.revision)


def _since_revision(session: Session, revision: Revision) -> Session:
    root = os.path.realpath(session.settings.root)
    results = [
        revision.new(result, Path(os.path.normpath(os.path.join(root, result.path))))  # noqa: PTH118
        for result in session.results
    ]
    before, after = (
        sum(len(each.findings) for each in some) for some in (session.results, results)
    )
    since = msgspec.structs.replace(
        session.since, revision=session.options.diff_base or "", elsewhere=before - after
    )
    return msgspec.structs.replace(session, results=results, since=since)


def _since_baseline(session: Session, baseline: Baseline) -> Session:
    compared = baseline.compare(
        session.results, Selection.of(session.settings), session.options.shard or Shard()
    )
    written = session.options.write_baseline is not None
    known = Known(_shown(baseline.file), compared.known, compared.gone, written)
    since = msgspec.structs.replace(session.since, baseline=known)
    return msgspec.structs.replace(session, results=compared.results, since=since)


def _written(session: Session) -> Baseline | None:
    """The baseline that this run is asked to write."""
    if session.options.write_baseline is None:
        return None
    from neuron_migrate.cli.output import write_file
    from neuron_migrate.since.baseline import Baseline

    file = session.options.write_baseline.absolute()
    made = Baseline.of(session.results, file, session.settings.root)
    write_file(file, made.document())
    return made


def _shown(file: Path) -> str:
    """The path as the person would type it here."""
    here = Path.cwd()
    return os.path.relpath(file, here) if file.is_relative_to(here) else str(file)
