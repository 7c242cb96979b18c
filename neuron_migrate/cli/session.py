"""From a command line to results: the way that check and fix have in common."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import config
from neuron_migrate.api.migrator import Migrator
from neuron_migrate.api.run import Run
from neuron_migrate.cli.narrowing import Narrowing
from neuron_migrate.cli.options import Options, given, merged
from neuron_migrate.cli.output import say
from neuron_migrate.cli.progress import Progress
from neuron_migrate.cli.sharing import Sharing
from neuron_migrate.cli.status import OK
from neuron_migrate.errors import UsageError
from neuron_migrate.files import source
from neuron_migrate.files.shard import Shard
from neuron_migrate.files.written import is_code
from neuron_migrate.report.risk_text import Applied
from neuron_migrate.report.since import Since
from neuron_migrate.settings import OutputFormat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neuron_migrate.api.changes import Change, Stamp
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.files.discovery import Discovery
    from neuron_migrate.finding import FileResult, Finding
    from neuron_migrate.parts.document import Evidence
    from neuron_migrate.report.risk import Skip
    from neuron_migrate.settings import Settings

_STDIN_NAME = "stdin.py"


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One run: what was asked and what was found."""

    options: Options
    migrator: Migrator
    results: list[FileResult]
    skipped: list[Skip] = []
    stamps: dict[str, Stamp] = {}
    """What every file looked like just before it was analysed, by path."""
    stdin: bytes | None = None
    since: Since = Since()
    """What the results leave out."""
    narrowing: Narrowing = Narrowing()
    """What is known before it."""
    sharing: Sharing | None = None
    """How it is a part of more; None when nobody asked."""
    evidence: Mapping[Finding, Evidence] | None = None
    """What reports show of the files; None when it is read from them."""
    texts: Mapping[str, str] | None = None
    """The files by path; None when they are read."""

    @property
    def settings(self) -> Settings:
        """What the command line and the configuration come to."""
        return self.migrator.settings

    @property
    def catalog(self) -> Catalog:
        """The rules."""
        return self.migrator.catalog

    @property
    def run(self) -> Run:
        """What can be written."""
        return Run(
            root=self.settings.root,
            results=self.results,
            skipped=self.skipped,
            stamps=self.stamps,
        )

    def applied(self, changes: Sequence[Change] | None) -> Applied | None:
        """What the changes did, once they are written; None while no file has them."""
        if changes is None or self.stdin is not None:
            return None
        return Applied(sum(change.result.applied for change in changes), len(changes))

    def text(self, path: str) -> str | None:
        """What a file holds; None where it cannot be read."""
        if self.texts is not None:
            return self.texts.get(path)
        try:
            data = self.stdin
            read = source.read(self.settings.root / path) if data is None else data
            return source.decode(read).text
        except source.SourceError:
            return None

    @property
    def sdk(self) -> str:
        """The release of the Neuron SDK the code is for."""
        return self.catalog.sdk


def run(options: Options, *, fix: bool) -> Session:
    """Read the configuration, the catalog and the code, and analyse it."""
    _check_paths(options)
    found, _ = config.load(options.config, Path.cwd())
    settings = merged(options, found)
    if options.rehearsal is not None and settings.output_format is not OutputFormat.HTML:
        raise UsageError("--rehearsal goes into a report of --output-format html")
    migrator = Migrator.of(settings)
    # What is known is worth fixing too.
    narrowing = Narrowing() if fix else Narrowing.asked(options, settings)
    if options.stdin:
        return narrowing.narrowed(_standard_input(options, migrator, fix))
    return narrowing.narrowed(_files(options, migrator, narrowing, fix))


def show_settings(options: Options) -> int:
    """Print what a run with these options goes by; the exit status."""
    from neuron_migrate.cli.output import show
    from neuron_migrate.report import settings as report

    found = config.trace(options.config, Path.cwd())
    said = {name: str(file) for name, file in found.origins.items()}
    said |= {"root": str(found.file)} if found.file else {}
    said |= dict.fromkeys(given(options), report.COMMAND_LINE)
    as_json = options.output_format is OutputFormat.JSON
    render = report.render_json if as_json else report.render
    show(render(merged(options, found.settings), said))
    return OK


def _check_paths(options: Options) -> None:
    if Path("-") in (options.paths or []) and not options.stdin:
        raise UsageError("- (standard input) cannot be combined with other paths")
    if options.stdin_filename is not None and not options.stdin:
        raise UsageError("--stdin-filename needs - as the path")
    _check_narrowing(options)
    _check_sharing(options)
    check_folders(options)


def check_folders(options: Options) -> None:
    """What is to be written can be; found out before the work that it holds."""
    seen: dict[Path, str] = {}
    for option, file in (
        ("--output", options.output),
        ("--patch", options.patch),
        ("--write-baseline", options.write_baseline),
        ("--write-part", options.write_part),
    ):
        if file is None:
            continue
        if not file.absolute().parent.is_dir():
            raise UsageError(f"{option}: no such folder: {file.parent}")
        if file.is_file() and file.stat().st_size and is_code(file):
            raise UsageError(f"{option}: {file} is there, and code; name another file")
        other = seen.setdefault(file.absolute(), option)
        if other != option and (file.is_file() or not file.exists()):
            raise UsageError(f"{other} and {option} are both {file}")


def _check_narrowing(options: Options) -> None:
    """A baseline holds what the whole of a project has; there are no lines of git in a stream."""
    if options.write_baseline is not None:
        if options.baseline is not None:
            raise UsageError("--write-baseline cannot be combined with --baseline")
        if options.diff_base is not None:
            raise UsageError("--write-baseline cannot be combined with --diff-base")
        if options.stdin:
            raise UsageError("--write-baseline cannot be combined with - (standard input)")
    if options.diff_base is not None and options.stdin:
        raise UsageError("--diff-base cannot be combined with - (standard input)")


def _check_sharing(options: Options) -> None:
    """Only the whole makes a baseline; a stream has no parts."""
    asked = {"--shard": options.shard, "--write-part": options.write_part}
    for option in (name for name, value in asked.items() if value is not None):
        if options.stdin:
            raise UsageError(f"{option} cannot be combined with - (standard input)")
        if options.write_baseline is not None:
            raise UsageError(
                f"{option} cannot be combined with --write-baseline; report merge has it"
            )


def _standard_input(options: Options, migrator: Migrator, fix: bool) -> Session:
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    content = sys.stdin.buffer.read()
    name = migrator.shown(Path(options.stdin_filename or _STDIN_NAME))
    result = (migrator.fix_text if fix else migrator.check_text)(content, name)
    return Session(options=options, migrator=migrator, results=[result], stdin=content)


def _files(options: Options, migrator: Migrator, narrowing: Narrowing, fix: bool) -> Session:
    found, sharing = _found(options, migrator)
    if options.quiet:  # the report, which names them, is not shown
        for skipped in found.skipped:
            if skipped.failed:
                say(f"warning: {skipped.path}: {skipped.reason}")
    found = msgspec.structs.replace(found, files=narrowing.touched(found.files))
    with Progress(len(found.files), wanted=not options.quiet) as progress:
        run = migrator.scan(found, fix=fix, on_result=progress.advance)
    return Session(
        options=options,
        migrator=migrator,
        results=run.results,
        skipped=run.skipped,
        stamps=run.stamps,
        since=Since(share=sharing.told() if sharing else None),
        narrowing=narrowing,
        sharing=sharing,
    )


def _found(options: Options, migrator: Migrator) -> tuple[Discovery, Sharing | None]:
    """What is to be read, and how that is a part of more."""
    found = migrator.discover(options.paths or [Path()])
    if not found.files and not found.skipped:
        say("warning: nothing here that neuron-migrate reads")
    if options.shard is None and options.write_part is None:
        return found, None
    sharing = Sharing.of(found, options.shard or Shard(), migrator.settings.root)
    return sharing.mine, sharing
