"""Rules and settings, ready to be applied to texts and files."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import config as configuration
from neuron_migrate.api.changes import stamped
from neuron_migrate.api.run import Run
from neuron_migrate.catalog import loader
from neuron_migrate.errors import UsageError
from neuron_migrate.report.listing import FAILED
from neuron_migrate.report.risk import Skip
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.files.discovery import Discovery
    from neuron_migrate.files.walk import Skipped
    from neuron_migrate.finding import FileResult, Finding, Target
    from neuron_migrate.settings import Settings


class Migrator(msgspec.Struct, frozen=True):
    """What checks and fixes. It writes nothing: ``Run.apply`` does."""

    settings: Settings
    catalog: Catalog

    @classmethod
    def of(cls, settings: Settings) -> Migrator:
        """With these settings; raises UsageError for codes, rules or patterns that are wrong."""
        catalog = loader.load(settings.rules, settings.sdk, cached=settings.cache)
        _check_codes(settings, catalog)
        _check_patterns(settings)
        return cls(settings, catalog)

    @classmethod
    def configured(
        cls,
        folder: Path | None = None,
        *,
        config: Path | None = None,
        target: Target | None = None,
        sdk: str | None = None,
        select: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        unsafe: bool | None = None,
    ) -> Migrator:
        """As the command would be in a folder, by default the working one.

        The configuration is ``config``, or the nearest of that folder and those above it; what is
        given here wins. Raises UsageError for one that is wrong.
        """
        settings, _ = configuration.load(config, folder or Path.cwd())
        given = {
            "target": target,
            "sdk": sdk,
            "select": None if select is None else tuple(select),
            "ignore": None if ignore is None else tuple(ignore),
            "unsafe": unsafe,
        }
        chosen = {name: value for name, value in given.items() if value is not None}
        return cls.of(msgspec.structs.replace(settings, **chosen))

    def check_text(self, content: str | bytes, path: str) -> FileResult:
        """What is found in a text; its path, relative to the root, tells what kind it is."""
        return self._text(content, path, fix=False)

    def fix_text(self, content: str | bytes, path: str) -> FileResult:
        """The same, with the fixed text, or None where nothing changes, in ``fixed``."""
        return self._text(content, path, fix=True)

    def fix_finding(self, text: str, path: str, finding: Finding) -> str | None:
        """The text with the edits of one of its findings; None where it would not be valid."""
        from neuron_migrate.engine.work import Worker

        return Worker(self.catalog, self.settings, fix=True).with_fix(text, path, finding)

    def only(self, code: str) -> Migrator:
        """The same for one rule, or for those with a prefix."""
        settings = msgspec.structs.replace(self.settings, select=(code,), extend_select=())
        return msgspec.structs.replace(self, settings=settings)

    def check(
        self, paths: Sequence[Path], *, on_result: Callable[[FileResult], None] | None = None
    ) -> Run:
        """What is found in files and folders; ``on_result`` sees each file's as it comes.

        Raises UsageError for a path that does not exist.
        """
        return self.scan(self.discover(paths), fix=False, on_result=on_result)

    def fix(
        self, paths: Sequence[Path], *, on_result: Callable[[FileResult], None] | None = None
    ) -> Run:
        """The same, with the fixed texts; nothing is written before ``Run.apply``."""
        return self.scan(self.discover(paths), fix=True, on_result=on_result)

    def discover(self, paths: Sequence[Path]) -> Discovery:
        """The files that the paths name or hold; raises UsageError for one that is not there."""
        from neuron_migrate.files.discovery import discover

        settings = self.settings
        return discover(
            paths,
            root=settings.root,
            exclude=settings.exclude,
            force_exclude=settings.force_exclude,
            docs=settings.include_docs,
        )

    def scan(
        self,
        found: Discovery,
        *,
        fix: bool,
        on_result: Callable[[FileResult], None] | None = None,
    ) -> Run:
        """Check or fix the files that were discovered."""
        from neuron_migrate.engine.run import scan

        stamps = stamped(found.files) if fix else {}
        return Run(
            root=self.settings.root,
            results=scan(found.files, self.catalog, self.settings, fix=fix, on_result=on_result),
            skipped=[_skip(self.settings.root, each) for each in found.skipped],
            stamps=stamps,
        )

    def shown(self, path: Path) -> str:
        """A path as findings give it: relative to the root where it is inside."""
        full, root = Path.cwd() / path, self.settings.root
        return full.relative_to(root).as_posix() if full.is_relative_to(root) else str(path)

    def _text(self, content: str | bytes, path: str, *, fix: bool) -> FileResult:
        from neuron_migrate.engine.run import scan_text

        return scan_text(content, path, self.catalog, self.settings, fix=fix)


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


def _skip(root: Path, skipped: Skipped) -> Skip:
    """The path spelled as in findings: relative to the root when it is inside."""
    top, path = Path(os.path.realpath(root)), skipped.path
    shown = path.relative_to(top).as_posix() if path.is_relative_to(top) else str(path)
    return Skip(shown, skipped.reason, skipped.failed)
