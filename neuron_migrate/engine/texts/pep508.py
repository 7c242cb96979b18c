"""Requirements as PEP 508 writes them, and the addresses that pip takes beside."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from packaging.requirements import InvalidRequirement
from packaging.requirements import Requirement as Parsed
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename

from neuron_migrate.engine.texts.facts import Requirement, Span

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

_PARTS = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)\s*(?P<extras>\[[^\]]*\])?\s*(?P<versions>[^;@\s][^;@]*)?"
)
_VARIABLE = re.compile(r"\$(?:\{\w+[^}]*\}|\w+)")
_ADDRESS = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|git@)[^\s;]+")
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9._-]+)")
_REPOSITORY = re.compile(r"([A-Za-z0-9._-]+?)(?:\.git)?(?:@[^/]*)?/?")


def requirement(text: str, start: int) -> Requirement | None:
    """What a text that stands at ``start`` of the file asks for; None when it asks for nothing."""
    stripped = text.strip()
    start += len(text) - len(text.lstrip())
    place = Span(start, start + len(stripped))
    try:
        parsed = Parsed(stripped)
    except InvalidRequirement:
        return _by_address(stripped, place) or _with_variables(stripped, place)
    parts = _PARTS.match(stripped)
    assert parts is not None, "what can be parsed begins with a name"
    found = Requirement(
        canonicalize_name(parsed.name),
        stripped,
        place,
        Span(start, start + parts.end("name")),
        specifier=str(parsed.specifier),
        build=_build(parsed.specifier),
        extras=tuple(sorted(canonicalize_name(extra) for extra in parsed.extras)),
        marker=str(parsed.marker or ""),
    )
    if parsed.url:
        return replace(found, url=parsed.url, build=_named(parsed.url)[1])
    return replace(found, specifier_span=_versions(parts, start))


def _with_variables(text: str, place: Span) -> Requirement | None:
    """``torch==${VERSION}+cu121``, whose versions show at run time."""
    name, variable = _PARTS.match(text), _VARIABLE.search(text)
    if name is None or variable is None or variable.start() <= name.end("name"):
        return None
    found = requirement(_VARIABLE.sub("0", text), place.start)
    if found is None:
        return None
    return replace(found, text=text, span=place, specifier="", specifier_span=None)


def _versions(parts: re.Match[str], start: int) -> Span:
    versions = parts["versions"]
    if versions is None:
        end = start + (parts.end("extras") if parts["extras"] else parts.end("name"))
        return Span(end, end)
    return Span(
        start + parts.start("versions"), start + parts.start("versions") + len(versions.rstrip())
    )


def _build(specifier: SpecifierSet) -> str:
    """``cu121`` of ``==2.4.0+cu121``."""
    found = (clause.version.partition("+")[2] for clause in specifier)
    return next(filter(None, found), "")


def _by_address(text: str, place: Span) -> Requirement | None:
    """``git+https://…#egg=apex`` or the address of a wheel, which the standard does not know."""
    address = _ADDRESS.match(text)
    if address is None:
        return None
    name, build = _named(address[0])
    marker = text[address.end() :].lstrip(" ;").strip()
    if not name:
        return None
    return Requirement(
        canonicalize_name(name), text, place, build=build, marker=marker, url=address[0]
    )


def _named(address: str) -> tuple[str, str]:
    """The package that an address gives, and its build: by ``egg=``, wheel or repository."""
    egg = _EGG.search(address)
    if egg is not None:
        return egg[1], ""
    try:
        file = PurePosixPath(unquote(urlsplit(address).path)).name
    except ValueError:
        return "", ""
    if file.endswith(".whl"):
        try:
            name, version, _, _ = parse_wheel_filename(file)
        except InvalidWheelFilename:
            return "", ""
        return name, version.local or ""
    if not address.startswith(("git+", "git@", "git://", "ssh://")):
        return "", ""
    repository = _REPOSITORY.fullmatch(file)
    return (repository[1] if repository else ""), ""
