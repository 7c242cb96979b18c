"""Which versions are asked for: the notations of package managers, and whether two sets meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from collections.abc import Iterator

_CARET = re.compile(r"([\^~])\s*(\d+(?:\.\d+)*)")
_BARE = re.compile(r"[=v]?\s*(\d+(?:\.\d+)*(?:\.\*)?(?:\+\w+)?)")
_CONDA = re.compile(r"(={1,2}|[<>]=?|!=|~=)?\s*([^\s,=]+)(?:=(\S+))?")


def meet(asked: str, supported: str) -> bool:
    """Whether a version exists that both specifiers allow; True for what cannot be read."""
    try:
        both = SpecifierSet(asked) & SpecifierSet(supported)
    except InvalidSpecifier:
        return True
    if any(clause.operator == "===" for clause in both):
        return True
    return any(both.contains(each, prereleases=True) for each in _ends(both))


def allows(asked: str, version: str) -> bool:
    """Whether a specifier allows a version; True for what cannot be read."""
    try:
        return SpecifierSet(asked).contains(version, prereleases=True)
    except InvalidSpecifier:
        return True


def series(supported: str) -> Iterator[str]:
    """The minor releases that a specifier with a lower and an upper bound allows: 2.13, 2.14."""
    clauses = {clause.operator: Version(clause.version) for clause in SpecifierSet(supported)}
    if ">=" in clauses and "<" in clauses:
        major, minor = (*clauses[">="].release, 0)[:2]
        while meet(f"=={major}.{minor}.*", supported):
            yield f"{major}.{minor}"
            minor += 1


def _ends(both: SpecifierSet) -> Iterator[Version]:
    """Versions among which one is allowed if any is: a set of them begins at a version that is
    named, just after it, or where a series that is excluded ends."""
    yield Version("0")
    for clause in both:
        text = clause.version.removesuffix(".*")
        try:
            version = Version(text)
        except InvalidVersion:
            continue
        release = [*version.release, 0, 0, 0][: max(len(version.release), 4)]
        yield version
        yield Version(f"{version.epoch}!" + ".".join(map(str, [*release, 1])))
        yield Version(f"{version.epoch}!" + _next(version.release))


def poetry(text: str) -> str:
    """The specifier that a constraint of Poetry or of a Pipfile means; empty when not known."""
    text = text.strip()
    if text in {"", "*"} or "|" in text:
        return ""
    parts = [_poetry(part.strip()) for part in text.split(",")]
    return _checked(",".join(part for part in parts if part))


def _poetry(text: str) -> str:
    caret = _CARET.fullmatch(text)
    if caret is not None:
        return _caret(caret[1], tuple(int(part) for part in caret[2].split(".")))
    bare = _BARE.fullmatch(text)
    return f"=={bare[1]}" if bare is not None else text


def _caret(sign: str, release: tuple[int, ...]) -> str:
    """``^1.2`` stays below 2, ``^0.2`` below 0.3; ``~1.2.3`` stays below 1.3."""
    if sign == "~":
        kept = release[:2]
    else:
        first = next((index for index, part in enumerate(release) if part), len(release) - 1)
        kept = release[: first + 1]
    return f">={'.'.join(map(str, release))},<{_next(kept)}"


def _next(release: tuple[int, ...]) -> str:
    return ".".join(map(str, (*release[:-1], release[-1] + 1)))


def conda(text: str) -> tuple[str, str]:
    """The specifier that the versions of a conda package mean, and the build; empty when unknown.

    ``=2.1`` and ``2.1.*`` are the whole series, ``2.1=py39_cuda11.8`` names a build.
    """
    text = text.strip()
    if text.startswith("[") or "|" in text:
        return "", ""
    clauses, build = [], ""
    for part in text.replace(" ", "").split(","):
        match = _CONDA.fullmatch(part)
        if match is None:
            return "", ""
        clauses.append(_conda(match[1] or "", match[2], exact=bool(match[3])))
        build = match[3] or build
    return _checked(",".join(filter(None, clauses))), build


def _conda(operator: str, version: str, *, exact: bool) -> str:
    if version == "*":
        return ""
    if operator == "=" and not exact:
        return f"=={version.removesuffix('.*')}.*"
    return f"{operator if operator not in {'', '='} else '=='}{version}"


def _checked(specifier: str) -> str:
    try:
        return str(SpecifierSet(specifier))
    except InvalidSpecifier:
        return ""
