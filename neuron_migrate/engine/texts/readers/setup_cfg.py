"""setup.cfg: what a project and its extras ask for."""

from __future__ import annotations

import re
from configparser import Error, RawConfigParser
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import ReadError, Reading, Requirement, Span
from neuron_migrate.engine.texts.pep508 import requirement
from neuron_migrate.files.lines import LINE_END, line_starts

if TYPE_CHECKING:
    from collections.abc import Iterator

_SECTION = re.compile(r"\[(?P<name>[^\]]+)\]")
_OPTION = re.compile(r"(?P<name>[^\s:=][^:=]*?)\s*[:=]\s*")
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\r\n]*")
_ALWAYS = {"install_requires", "install-requires", "setup_requires", "setup-requires"}
_PYTHON = {"python_requires", "python-requires"}


def read(text: str, path: str) -> Reading:
    """The facts of an INI file.

    Raises ReadError when it is none.
    """
    del path
    _check(text)
    reading = Reading()
    section = option = ""
    starts = [*line_starts(text), len(text)]
    for start, end in pairwise(starts):
        line = LINE_END.sub("", text[start:end])
        if line.lstrip()[:1] in {"#", ";"}:
            reading.comments.append(Span(start + len(line) - len(line.lstrip()), start + len(line)))
            continue
        header, named = _SECTION.match(line), _OPTION.match(line)
        first = 0
        if line[:1].strip():
            section = header["name"] if header else section
            option = "" if header or not named else named["name"].lower()
            first = len(line) if header or not named else named.end()
        comment = _COMMENT.search(line, first)
        if comment is not None:
            reading.comments.append(Span(start + comment.start(), start + len(line)))
        place = Span(start + first, start + (comment.start() if comment else len(line)))
        whole = Span(start, end) if not first else None
        reading.facts += _facts(section, option, text, place, whole)
    return reading


def _facts(
    section: str, option: str, text: str, place: Span, whole: Span | None
) -> Iterator[Requirement]:
    source = text[place.start : place.end]
    if section == "options" and option in _PYTHON and source.strip():
        yield Requirement("python", source.strip(), place, specifier=source.strip())
    extras = section == "options.extras_require" and bool(option)
    if not extras and not (section == "options" and option in _ALWAYS | {"tests_require"}):
        return
    found = None if "%" in source else requirement(source, place.start)
    if found is not None:
        yield replace(found, removal=whole, optional=extras or option == "tests_require")


def _check(text: str) -> None:
    try:
        RawConfigParser(strict=False).read_string(text)
    except Error as error:
        parts = getattr(error, "errors", None) or [(getattr(error, "lineno", 1), "")]
        starts = line_starts(text)
        reason = "not valid INI: it is no section, option or comment"
        raise ReadError(reason, starts[min(parts[0][0], len(starts)) - 1]) from error
