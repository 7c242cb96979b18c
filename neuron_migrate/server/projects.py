"""Which rules and settings hold for which file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate import config
from neuron_migrate.api import Migrator, Settings, UsageError
from neuron_migrate.files.discovery import is_excluded
from neuron_migrate.files.kinds import HEAD, Kind, kind_of
from neuron_migrate.files.walk import PASSED_OVER
from neuron_migrate.server.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from neuron_migrate.server.documents import Place

_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Project(msgspec.Struct, frozen=True):
    """What holds in one folder."""

    folder: Path
    migrator: Migrator
    generation: int
    """Rises whenever a configuration changes."""
    problem: str = ""
    """What is wrong with the configuration, in whose place the last good one holds."""

    def name(self, place: Place) -> str:
        """The path of a text as findings give it."""
        if place.file is None:
            return place.name
        return self.migrator.shown(Path(os.path.realpath(place.file)))

    def reads(self, place: Place, text: str) -> bool:
        """Whether the text is to be looked at: of a kind that is read, and not excluded."""
        settings = self.migrator.settings
        kind = kind_of(place.name, text[:HEAD])
        if kind is None and not place.is_python:
            return False
        if kind is Kind.MARKUP and not settings.include_docs:
            return False
        return place.file is None or not _left_out(place.file, settings)


class Projects:
    """The projects by folder, each read once until ``forget``.

    A file belongs to the nearest configuration in its folder or above it, as the command finds the
    one of its working folder. Where there is none, paths are relative to the workspace folder.
    """

    def __init__(self, folders: Callable[[], Sequence[Path]]) -> None:
        self.options = Options()
        self._folders = folders
        self._known: dict[Path, Project] = {}
        self._good: dict[Path, Migrator] = {}
        self.generation = 0

    def forget(self) -> None:
        """Read every configuration again."""
        self._known.clear()
        self.generation += 1

    def of(self, place: Place) -> Project:
        """The project of a text."""
        folders = self._folders()
        folder = place.file.parent if place.file else (folders or [Path.cwd()])[0]
        if folder not in self._known:
            self._known[folder] = self._read(folder, folders)
        return self._known[folder]

    def _read(self, folder: Path, folders: Sequence[Path]) -> Project:
        generation = self.generation
        try:
            migrator = self._migrator(folder, folders)
        except (UsageError, OSError, ValueError) as error:
            good = self._good.get(folder) or Migrator.of(Settings(root=folder))
            return Project(folder, good, generation, str(error))
        self._good[folder] = migrator
        return Project(folder, migrator, generation)

    def _migrator(self, folder: Path, folders: Sequence[Path]) -> Migrator:
        given = self.options.config
        chosen = None if given is None else (folders or [Path.cwd()])[0] / given
        found = config.trace(chosen, folder)
        settings = found.settings
        if found.file is None:
            above = [each for each in folders if folder.is_relative_to(each)]
            root = max(above, key=lambda each: len(each.parts), default=folder)
            settings = msgspec.structs.replace(settings, root=root.resolve())
        return Migrator.of(self.options.over(settings))


def _left_out(file: Path, settings: Settings) -> bool:
    real, root = os.path.realpath(file), os.path.realpath(settings.root)
    if not _INSTALLED.isdisjoint(file.parts) or is_excluded(real, root, settings.exclude):
        return True
    inside = Path(real).is_relative_to(root)
    return inside and not PASSED_OVER.isdisjoint(Path(real).relative_to(root).parent.parts)
