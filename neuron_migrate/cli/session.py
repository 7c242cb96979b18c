"""From a command line to results: the way that check and fix have in common."""

from __future__ import annotations

import os
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import config
from neuron_migrate.catalog import loader
from neuron_migrate.cli.changes import Stamp, stamped
from neuron_migrate.cli.narrowing import Narrowing
from neuron_migrate.cli.options import Options, OutputFormat, given, merged
from neuron_migrate.cli.output import say
from neuron_migrate.cli.progress import Progress
from neuron_migrate.cli.status import OK
from neuron_migrate.errors import UsageError
from neuron_migrate.report.listing import FAILED
from neuron_migrate.report.risk import Skip
from neuron_migrate.report.since import Since
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.files.walk import Skipped
    from neuron_migrate.finding import FileResult
    from neuron_migrate.settings import Settings

_STDIN_NAME = "stdin.py"


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """One run: what was asked and what was found."""

    options: Options
    settings: Settings
    catalog: Catalog
    results: list[FileResult]
    skipped: list[Skip] = []
    stamps: dict[str, Stamp] = {}
    """What every file looked like just before it was analysed, by path."""
    stdin: bytes | None = None
    since: Since = Since()
    """What the results leave out because it is not new."""

    @property
    def sdk(self) -> str:
        """The release of the Neuron SDK the code is for."""
        return self.catalog.sdk


def run(options: Options, *, fix: bool) -> Session:
    """Read the configuration, the catalog and the code, and analyse it."""
    _check_paths(options)
    found, _ = config.load(options.config, Path.cwd())
    settings = merged(options, found)
    catalog = loader.load(settings.rules, settings.sdk, cached=settings.cache)
    _check_codes(settings, catalog)
    _check_patterns(settings)
    # What is known is worth fixing too.
    narrowing = Narrowing() if fix else Narrowing.asked(options, settings)
    if options.stdin:
        return narrowing.narrowed(_standard_input(options, settings, catalog, fix))
    return narrowing.narrowed(_files(options, settings, catalog, narrowing, fix))


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
    for option, file in (
        ("--output", options.output),
        ("--patch", options.patch),
        ("--write-baseline", options.write_baseline),
    ):
        if file is not None and not file.absolute().parent.is_dir():
            raise UsageError(f"{option}: no such folder: {file.parent}")


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


def _check_codes(settings: Settings, catalog: Catalog) -> None:
    """A code that stands for no rule is a misspelling."""
    known = [*(rule.code for rule in catalog.rules), FAILED]
    chosen = {
        "select": settings.select,
        "ignore": settings.ignore,
        "extend-select": settings.extend_select,
        "per-file-ignores": tuple(chain.from_iterable(settings.per_file_ignores.values())),
    }
    for option, codes in chosen.items():
        for code in codes:
            if not any(each.startswith(code) for each in known):
                raise UsageError(f"{option}: no rule has the code or prefix {code!r}")


def _check_patterns(settings: Settings) -> None:
    try:
        Selection.of(settings).ignored_in("a.py")
    except ValueError as error:
        raise UsageError(f"per-file-ignores: {error}") from error


def _standard_input(options: Options, settings: Settings, catalog: Catalog, fix: bool) -> Session:
    from neuron_migrate.engine.run import scan_text

    if sys.stdin is None:
        raise UsageError("standard input is closed")
    content = sys.stdin.buffer.read()
    name = _named(options.stdin_filename or _STDIN_NAME, settings.root)
    result = scan_text(content, name, catalog, settings, fix=fix)
    return Session(
        options=options, settings=settings, catalog=catalog, results=[result], stdin=content
    )


def _named(name: str, root: Path) -> str:
    """The name as findings in a file of that name would give it: relative to the root."""
    full = Path.cwd() / name
    return full.relative_to(root).as_posix() if full.is_relative_to(root) else name


def _files(
    options: Options, settings: Settings, catalog: Catalog, narrowing: Narrowing, fix: bool
) -> Session:
    from neuron_migrate.engine.run import scan
    from neuron_migrate.files.discovery import discover

    found = discover(
        options.paths or [Path()],
        root=settings.root,
        exclude=settings.exclude,
        force_exclude=settings.force_exclude,
        docs=settings.include_docs,
    )
    if options.quiet:  # the report, which names them, is not shown
        for skipped in found.skipped:
            if skipped.failed:
                say(f"warning: {skipped.path}: {skipped.reason}")
    if not found.files and not found.skipped:
        say("warning: nothing here that neuron-migrate reads")
    files = narrowing.touched(found.files)
    stamps = stamped(files) if fix else {}
    with Progress(len(files), wanted=not options.quiet) as progress:
        results = scan(files, catalog, settings, fix=fix, on_result=progress.advance)
    return Session(
        options=options,
        settings=settings,
        catalog=catalog,
        results=results,
        skipped=[_skip(settings.root, each) for each in found.skipped],
        stamps=stamps,
    )


def _skip(root: Path, skipped: Skipped) -> Skip:
    """The path spelled as in findings: relative to the root when it is inside."""
    top, path = Path(os.path.realpath(root)), skipped.path
    shown = path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)
    return Skip(shown, skipped.reason, skipped.failed)
