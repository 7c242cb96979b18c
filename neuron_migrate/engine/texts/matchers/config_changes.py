"""What the fix makes of an entry of a configuration file."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from neuron_migrate.files.kinds import Kind
from neuron_migrate.finding import Edit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.text_patterns import ConfigEntry
    from neuron_migrate.engine.texts.document import Document
    from neuron_migrate.engine.texts.facts import Setting, Span

_OTHER_TARGET = "CUDA needs it as it is, and the code is to run there too"
_NOT_ALONE = "the entry cannot be taken out on its own"
_LITERAL = re.compile(r"true|false|null|-?\d+(?:\.\d+)?")
_FALSE = frozenset({"false", "no", "off"})


def edits(
    entry: ConfigEntry, setting: Setting, document: Document, settings: Sequence[Setting]
) -> tuple[list[Edit], str | None]:
    """The changes, or why there are none."""
    if entry.action == "report":
        return [], None
    if entry.target not in (None, document.target):
        return [], _OTHER_TARGET
    if entry.action == "drop":
        if setting.removal is None:
            return [], _NOT_ALONE
        return [Edit(setting.removal.start, setting.removal.end, "")], None
    to = entry.to
    if document.target == "accelerator" and entry.accelerator is not None:
        to = entry.accelerator
    if setting.frozen and to is not None:
        return [], setting.frozen
    if entry.key is not None:
        return _renamed(entry.key, to, setting, document, settings)
    if to is None:
        return [], None
    return [_replaced(setting, _filled(to, entry, setting), document)], None


def _renamed(
    key: str, to: str | None, setting: Setting, document: Document, settings: Sequence[Setting]
) -> tuple[list[Edit], str | None]:
    """The entry under a new key; where that stands beside it with a no, the two change places."""
    if setting.key_span is None:
        return [], "the key is not written out in one place"
    others = [
        each
        for each in settings
        if each.among == setting.among and each.path == (*setting.path[:-1], key)
    ]
    if not others:
        value = [] if to is None else [_replaced(setting, to, document)]
        return [_edit(setting.key_span, key), *value], None
    other = others[0]
    if to is not None or other.frozen or (other.value or "").lower() not in _FALSE:
        return [], f"`{key}` is set too"
    yes, no = document.source(setting.span), document.source(other.span)
    return [_edit(setting.span, no), _edit(other.span, yes)], None


def _filled(to: str, entry: ConfigEntry, setting: Setting) -> str:
    """The new value; a ``*`` in it is what the one of the old value stands for."""
    value = setting.value or ""
    for pattern in entry.values if "*" in to else ():
        if "*" in pattern and fnmatchcase(value, pattern):
            before, _, after = pattern.partition("*")
            return to.replace("*", value[len(before) : len(value) - len(after)])
    return to


def _replaced(setting: Setting, to: str, document: Document) -> Edit:
    """The new value in the quotes of the old one; JSON has text in quotes only."""
    quoted = document.text[setting.span.start - 1 : setting.span.start] == '"'
    if document.kind is Kind.JSON and not quoted and not _LITERAL.fullmatch(to):
        to = f'"{to}"'
    return _edit(setting.span, to)


def _edit(place: Span, to: str) -> Edit:
    return Edit(place.start, place.end, to)
