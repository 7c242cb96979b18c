"""pyproject.toml and Pipfile: what a project, its extras, its groups and its build ask for."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from packaging.utils import canonicalize_name

from neuron_migrate.engine.texts import versions
from neuron_migrate.engine.texts.facts import PackageIndex, Reading, Requirement, Span
from neuron_migrate.engine.texts.pep508 import requirement
from neuron_migrate.engine.texts.toml import Document, Entry, Path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_LISTS = (
    "project.dependencies.*",
    "build-system.requires.*",
    "tool.flit.metadata.requires.*",
    "tool.uv.constraint-dependencies.*",
    "tool.uv.override-dependencies.*",
)
_OPTIONAL_LISTS = (
    "dependency-groups.*.*",
    "project.optional-dependencies.*.*",
    "tool.hatch.envs.*.dependencies.*",
    "tool.hatch.envs.*.extra-dependencies.*",
    "tool.pdm.dev-dependencies.*.*",
    "tool.rye.dev-dependencies.*",
    "tool.uv.dev-dependencies.*",
)
_TABLES = ("packages", "tool.poetry.dependencies", "tool.pixi.pypi-dependencies")
_OPTIONAL_TABLES = (
    "dev-packages",
    "tool.poetry.dev-dependencies",
    "tool.poetry.group.*.dependencies",
)
_INDEXES = (
    "source.*.url",
    "tool.pdm.source.*.url",
    "tool.poetry.source.*.url",
    "tool.uv.extra-index-url.*",
    "tool.uv.find-links.*",
    "tool.uv.index.*.url",
    "tool.uv.index-url",
    "tool.uv.pip.extra-index-url.*",
    "tool.uv.pip.index-url",
)
_PYTHON = ("project.requires-python", "requires.python_version", "requires.python_full_version")


def read(text: str, path: str) -> Reading:
    """The facts of a TOML file.

    Raises ReadError when it is none.
    """
    del path
    document = Document(text)
    reading = Reading(comments=document.comments)
    for entry in document.entries:
        reading.facts += _facts(entry)
    reading.facts += _tables(document.entries)
    return reading


def _facts(entry: Entry) -> Iterator[PackageIndex | Requirement]:
    path = entry.path
    if _is(path, _INDEXES):
        yield PackageIndex(entry.value, entry.place)
    elif _is(path, _PYTHON):
        specifier = versions.poetry(entry.value)
        if path[-1] == "python_version":
            specifier += ".*"
        yield Requirement("python", entry.value, entry.place, specifier=specifier)
    elif _is(path, _LISTS) or _is(path, _OPTIONAL_LISTS):
        found = requirement(entry.value, entry.place.start)
        if found is not None:
            optional = _is(path, _OPTIONAL_LISTS)
            found = replace(found, removal=entry.removal, optional=optional)
            yield found if entry.plain else _without_places(found, entry)


def _without_places(found: Requirement, entry: Entry) -> Requirement:
    return replace(found, span=entry.place, name_span=None, specifier_span=None)


def _tables(entries: Iterable[Entry]) -> Iterator[Requirement]:
    """Tables whose keys are packages, as Poetry and Pipenv have them."""
    entries = list(entries)
    wanted = {each.value for each in entries if each.path[:3] == ("tool", "poetry", "extras")}
    named = [(each, table) for each in entries if (table := _table(each.path))]
    for (table, name), group in groupby(named, lambda each: (each[1], each[0].path[len(each[1])])):
        found = _asked(name, [each for each, _ in group], len(table))
        if table[-1] in {"packages", "dependencies"} and name in wanted:
            found = replace(found, removal=None, optional=True)
        yield replace(found, optional=found.optional or _is(table, _OPTIONAL_TABLES))


def _table(path: Path) -> Path:
    """The table of packages that a path leads into; empty when it leads into none."""
    for pattern in (*_TABLES, *_OPTIONAL_TABLES):
        depth = pattern.count(".") + 1
        if len(path) > depth and _is(path[:depth], (pattern,)):
            return path[:depth]
    return ()


def _asked(name: str, entries: list[Entry], depth: int) -> Requirement:
    """``torch = "^2.1"``, ``torch = {version = "^2.1", …}`` or a table of its own."""
    simple = len(entries) == 1 and len(entries[0].path) == depth + 1
    rest = {".".join(each.path[depth + 1 :]): each for each in entries}
    version = entries[0] if simple else rest.get("version")
    shown = version or entries[0]
    start = shown.key.start if simple and shown.key else shown.place.start
    specifier = versions.poetry(version.value) if version else ""
    address = next((rest[key].value for key in ("git", "url") if key in rest), "")
    optional = "optional" in rest and rest["optional"].value == "true"
    return Requirement(
        canonicalize_name(name),
        f"{name} = {shown.value}",
        Span(start, shown.place.end),
        name_span=shown.key if simple else None,
        specifier=specifier,
        build=specifier.partition("+")[2],
        extras=tuple(each.value for key, each in rest.items() if key == "extras.*"),
        marker=rest["markers"].value if "markers" in rest else "",
        url=address,
        removal=shown.removal if simple else None,
        optional=optional,
    )


def _is(path: Path, patterns: tuple[str, ...]) -> bool:
    """Whether a path fits one of the patterns key by key; ``*`` is any key or entry of a list."""
    return any(
        len(keys) == len(path)
        and all(key in {"*", part} for key, part in zip(keys, path, strict=True))
        for keys in (pattern.split(".") for pattern in patterns)
    )
