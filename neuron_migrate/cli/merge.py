"""``neuron-migrate report merge``: several parts as one report."""

from __future__ import annotations

import sys
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import config
from neuron_migrate.api.migrator import Migrator
from neuron_migrate.catalog.loader import Catalog
from neuron_migrate.cli.narrowing import Narrowing
from neuron_migrate.cli.present import present
from neuron_migrate.cli.session import Session, check_folders
from neuron_migrate.cli.status import status
from neuron_migrate.errors import UsageError
from neuron_migrate.parts import document
from neuron_migrate.parts.merging import merged
from neuron_migrate.parts.named import Named
from neuron_migrate.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.cli.options import Options
    from neuron_migrate.parts.document import Part


def run(arguments: Sequence[str], options: Options) -> int:
    """Merge and report; the exit status."""
    check_folders(options)
    parts = [_asked(each, options) for argument in arguments for each in _read(argument)]
    whole = merged(parts)
    if options.write_baseline is not None:
        _check_is_all(whole)
    session = Narrowing().narrowed(_session(whole, options))
    present(session, session.results, stream=sys.stdout)
    return status(session, session.results)


def _read(argument: str) -> Iterator[Named]:
    """The parts that an argument names: a file, a folder of files, or NAME= one of these."""
    name, equals, rest = argument.partition("=")
    if not equals or Path(argument).exists():
        name, rest = "", argument
    elif not name or PurePosixPath(name).is_absolute() or {".", ".."} & {*name.split("/")}:
        raise UsageError(f"{argument}: expected NAME=FILE, the name being a folder")
    for file in _files(Path(rest)):
        yield Named(source=str(file), name=name.strip("/"), part=document.load(file))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.json"))
    if not files:
        raise UsageError(f"{path}: no .json file in this folder")
    return files


def _asked(named: Named, options: Options) -> Named:
    """The part with what the command line decides in its place."""
    given = {"fail_on": options.fail_on, "show_advice": options.show_advice}
    chosen = {name: value for name, value in given.items() if value is not None}
    replace = msgspec.structs.replace
    return replace(named, part=replace(named.part, choices=replace(named.part.choices, **chosen)))


def _check_is_all(whole: Part) -> None:
    """A baseline holds what the whole of a project has."""
    known = whole.since.baseline
    if whole.since.revision or (known and known.known):
        raise UsageError(
            "--write-baseline: the parts hold only what is new; make them without --baseline"
            " and --diff-base"
        )


def _session(whole: Part, options: Options) -> Session:
    choices = whole.choices
    root = Path.cwd()
    if options.write_baseline is not None:
        root = config.load(None, root)[0].root
    settings = Settings(
        root=root,
        target=choices.target,
        fail_on=choices.fail_on,
        show_advice=choices.show_advice,
    )
    return Session(
        options=options,
        migrator=Migrator(settings, Catalog(whole.rules, sdk=choices.sdk)),
        results=sorted((file.result for file in whole.files), key=lambda result: result.path),
        skipped=[each.skip for each in whole.skipped],
        since=whole.since,
        evidence={
            finding: evidence
            for file in whole.files
            for finding, evidence in zip(file.result.findings, file.evidence, strict=True)
        },
    )
