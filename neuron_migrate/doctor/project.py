"""What a project declares: the requirements in its files, and what the rules say about them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.catalog.text_patterns import PackageIndexMatch, RequirementMatch
from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.texts.analysis import TextAnalyzer
from neuron_migrate.engine.texts.facts import PackageIndex, ReadError, Requirement
from neuron_migrate.engine.texts.readers import reader_of
from neuron_migrate.files.discovery import discover
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.lines import Lines
from neuron_migrate.files.source import SourceError, decode, read
from neuron_migrate.finding import Finding  # noqa: TC001 - a field of a struct
from neuron_migrate.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.texts.facts import Reading
    from neuron_migrate.settings import Settings

_CONDA = re.compile(r"^dependencies[ \t]*:", re.MULTILINE)
"""What an environment of conda has; other YAML is much, and slow to read."""
_DECLARING = frozenset({Kind.REQUIREMENTS, Kind.TOML, Kind.INI, Kind.YAML})


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """A requirement, or an index that requirements are taken from, in a file."""

    path: str
    line: int
    fact: Requirement | PackageIndex
    finding: Finding | None = None
    """What the rules say about it."""


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a project declares."""

    declarations: tuple[Declaration, ...]
    unread: tuple[tuple[str, str], ...]
    """Files, and why they could not be read."""


def look(paths: Sequence[Path], catalog: Catalog, settings: Settings) -> Project:
    """What the files that the paths name or hold declare."""
    found = discover(paths, root=settings.root, exclude=settings.exclude)
    codes = {
        rule.code
        for rule in catalog.rules
        if isinstance(rule.match, RequirementMatch | PackageIndexMatch)
    }
    analyzer = TextAnalyzer(catalog, target=settings.target, selection=Selection(tuple(codes)))
    declarations: list[Declaration] = []
    unread = [(str(each.path), each.reason) for each in found.skipped if each.failed]
    for file in found.files:
        reader = _reader(file)
        if reader is None:
            continue
        path = _shown(file, settings.root)
        try:
            text = decode(read(file)).text
            if kind_of(path) is Kind.YAML and not _CONDA.search(text):
                continue
            said = [each for each in analyzer.analyse(text, path) if each.code in codes]
            reading = reader(text, path)
        except (SourceError, AnalysisError, ReadError) as error:
            unread.append((path, error.reason))
            continue
        unread += [(path, reason) for _, reason in reading.problems]
        declarations += _declarations(text, path, reading, said)
    return Project(declarations=tuple(declarations), unread=tuple(unread))


def _reader(file: Path) -> Callable[[str, str], Reading] | None:
    """What reads a file, where it is of a kind that declares requirements."""
    kind = kind_of(str(file))
    return reader_of(kind) if kind in _DECLARING and kind is not None else None


def _declarations(
    text: str, path: str, reading: Reading, said: Sequence[Finding]
) -> Iterator[Declaration]:
    lines = Lines(text)
    by_place = {(each.line, each.column): each for each in said}
    for fact in reading.facts:
        if isinstance(fact, Requirement | PackageIndex):
            place = lines.position(fact.span.start)
            finding = by_place.get(place)
            yield Declaration(path=path, line=place[0], fact=fact, finding=finding)


def _shown(file: Path, root: Path) -> str:
    """The path as findings spell it: relative to the root when it is inside."""
    top = Path(os.path.realpath(root))
    return file.relative_to(top).as_posix() if file.is_relative_to(top) else str(file)
