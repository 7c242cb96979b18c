"""From a command line to results: the way that check and fix have in common."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import config
from neuron_migrate.catalog import loader
from neuron_migrate.cli.changes import Stamp, stamped
from neuron_migrate.cli.options import Options, merged
from neuron_migrate.cli.output import say
from neuron_migrate.cli.progress import Progress
from neuron_migrate.errors import UsageError
from neuron_migrate.report.listing import FAILED
from neuron_migrate.report.risk import Skip

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

    @property
    def sdk(self) -> str:
        """The release of the Neuron SDK the code is for."""
        return self.catalog.sdk


def run(options: Options, *, fix: bool) -> Session:
    """Read the configuration, the catalog and the code, and analyse it."""
    _check_paths(options)
    found, _ = config.load(options.config, Path.cwd())
    settings = merged(options, found)
    catalog = loader.load(settings.rules, settings.sdk)
    _check_codes(settings, catalog)
    scan = _standard_input if options.stdin else _files
    return scan(options, settings, catalog, fix)


def _check_paths(options: Options) -> None:
    if Path("-") in (options.paths or []) and not options.stdin:
        raise UsageError("- (standard input) cannot be combined with other paths")
    if options.stdin_filename is not None and not options.stdin:
        raise UsageError("--stdin-filename needs - as the path")
    for option, file in (("--output", options.output), ("--patch", options.patch)):
        if file is not None and not file.absolute().parent.is_dir():
            raise UsageError(f"{option}: no such folder: {file.parent}")


def _check_codes(settings: Settings, catalog: Catalog) -> None:
    """A code that stands for no rule is a misspelling."""
    known = [*(rule.code for rule in catalog.rules), FAILED]
    chosen = (settings.select, settings.ignore, settings.extend_select)
    for option, codes in zip(("select", "ignore", "extend-select"), chosen, strict=True):
        for code in codes:
            if not any(each.startswith(code) for each in known):
                raise UsageError(f"{option}: no rule has the code or prefix {code!r}")


def _standard_input(options: Options, settings: Settings, catalog: Catalog, fix: bool) -> Session:
    from neuron_migrate.engine.run import scan_text

    if sys.stdin is None:
        raise UsageError("standard input is closed")
    content = sys.stdin.buffer.read()
    name = options.stdin_filename or _STDIN_NAME
    result = scan_text(content, name, catalog, settings, fix=fix)
    return Session(
        options=options, settings=settings, catalog=catalog, results=[result], stdin=content
    )


def _files(options: Options, settings: Settings, catalog: Catalog, fix: bool) -> Session:
    from neuron_migrate.engine.run import scan
    from neuron_migrate.files.discovery import discover

    found = discover(
        options.paths or [Path()],
        root=settings.root,
        exclude=settings.exclude,
        force_exclude=options.force_exclude,
        docs=settings.include_docs,
    )
    if options.quiet:  # the report, which names them, is not shown
        for skipped in found.skipped:
            if skipped.failed:
                say(f"warning: {skipped.path}: {skipped.reason}")
    if not found.files and not found.skipped:
        say("warning: nothing here that neuron-migrate reads")
    stamps = stamped(found.files) if fix else {}
    with Progress(len(found.files), wanted=not options.quiet) as progress:
        results = scan(found.files, catalog, settings, fix=fix, on_result=progress.advance)
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
