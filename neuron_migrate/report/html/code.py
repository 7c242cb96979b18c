"""The code that belongs to the findings, as the JSON from which the page shows it on demand."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.report.html import sheets
from neuron_migrate.report.html.document import Document
from neuron_migrate.report.html.rows import Side, parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from neuron_migrate.finding import Finding
    from neuron_migrate.report.html.sheets import Sheet

_ROOM = 1_500_000
"""Characters of code above which a page holds only what it shows, and not what it folds."""
_NOTHING = Side({}, {})


class Text(msgspec.Struct, frozen=True):
    """A file as it was and as fixes make it."""

    before: str
    after: str


class Place(msgspec.Struct, frozen=True):
    """A finding and its number, by which the page knows it."""

    number: int
    finding: Finding
    kind: str
    resolved: bool
    """Whether the change from ``before`` to ``after`` is what resolves it."""
    after: bool
    """Whether it describes the text after, not the one before."""


def block(files: Iterable[tuple[str, Sequence[Place]]], texts: Mapping[str, Text]) -> str:
    """The code of each file and of each fix, in ASCII that cannot end the script element around it.

    ``{"files": [parts or null], "fixes": {number: parts}}``: in the order of the files, by the
    number of a finding whose fix the change of the file leaves out.
    """
    whole = sum(len(text.before) for text in texts.values()) <= _ROOM
    shown: list[object] = []
    fixes: dict[int, object] = {}
    for path, places in files:
        text = texts.get(path)
        shown.append(text and _file(path, places, text, whole=whole))
        fixes |= _fixes(places, text) if text else {}
    dumped = json.dumps({"files": shown, "fixes": fixes}, separators=(",", ":"))
    return dumped.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _file(path: str, places: Sequence[Place], text: Text, *, whole: bool) -> list[object]:
    before = Document(text.before)
    after = before if text.after == text.before else Document(text.after)
    by_side: dict[tuple[int | None, bool], list[tuple[int, Finding]]] = defaultdict(list)
    for each in places:
        by_side[each.finding.cell, each.after].append((each.number, each.finding))
    return [
        part
        for sheet in sheets.of_file(path, before, after)
        for part in parts(
            sheet,
            Side.of(by_side[sheet.cell, False], sheet.before),
            Side.of(by_side[sheet.cell, True], sheet.after),
            whole=whole,
        )
    ]


def _fixes(places: Iterable[Place], text: Text) -> dict[int, object]:
    """What the fixes change that stay a choice."""
    before, after = Document(text.before), Document(text.after)
    found = {
        each.number: [
            part
            for sheet in sheets.of_fix(after if each.after else before, each.finding)
            for part in _changed(sheet)
        ]
        for each in places
        if each.finding.edits and not each.resolved
    }
    return {number: made for number, made in found.items() if made}


def _changed(sheet: Sheet) -> list[dict[str, object]]:
    return parts(sheet, _NOTHING, _NOTHING, whole=False)
