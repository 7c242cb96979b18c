"""Attributes of what moved that its new form does not have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.engine.arguments import last_name
from neuron_migrate.engine.here import Here

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.matchers.moved.entries import Entry


def blocking(file: File, found: Iterable[Entry]) -> dict[str, str]:
    """Report the attributes that are missing afterwards: by rule, why its names cannot move."""
    stuck: dict[str, str] = {}
    for entry in {each.rule.code: each for each in found}.values():
        members = entry.pattern.members
        for here, node in _reads(file, members):
            name = node.attr.value
            draft = here.report(entry.rule, node, f"`{name}`: {members[name]}")
            draft.not_fixed = "what takes its place is a decision"
            line = file.lines.position(draft.start)[0]
            stuck.setdefault(entry.rule.code, f"`{name}` in line {line} has no counterpart")
    return stuck


def _reads(file: File, members: Iterable[str]) -> Iterator[tuple[Here, cst.Attribute]]:
    meant = [name for name in members if not _is_its_own(name, file)]
    words = "|".join(map(re.escape, meant))
    if not words:
        return
    for statement in file.statements_with(re.compile(rf"\.\s*(?:{words})\b")):
        for piece in file.pieces(statement):
            here = Here(file, piece)
            for node in piece.nodes:
                if not isinstance(node, cst.Attribute) or node.attr.value not in meant:
                    continue
                if not _is_loaded_with(node, here):
                    yield here, node


def _is_its_own(name: str, file: File) -> bool:
    """True for an attribute or a command-line option that the file defines itself."""
    return name in file.index.attributes or f"--{name}" in file.text


def _is_loaded_with(node: cst.Attribute, here: Here) -> bool:
    """True for an argument of ``from_pretrained``, which is judged there."""
    arg = here.parent(node)
    call = here.parent(arg) if isinstance(arg, cst.Arg) else None
    return isinstance(call, cst.Call) and last_name(call.func) == "from_pretrained"
