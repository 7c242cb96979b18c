"""The blocks of code in a document that are read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from neuron_migrate.engine.markup import markdown, rst
from neuron_migrate.engine.markup.languages import kind_of_language
from neuron_migrate.engine.markup.lines import dedented, lines_of, trimmed
from neuron_migrate.engine.markup.prompts import has_prompts, typed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.markup.lines import Line
    from neuron_migrate.files.kinds import Kind


@dataclass(frozen=True, slots=True)
class Block:
    """Code of one kind that stands in one place."""

    kind: Kind
    lines: tuple[Line, ...]
    """At least one, without what is around the code."""
    session: bool
    """Its lines stand behind prompts."""


def read(text: str, path: str) -> Iterator[Block]:
    """The blocks of a document whose language is one that is read."""
    found = rst.blocks if PurePosixPath(path).suffix.lower() == ".rst" else markdown.blocks
    for language, lines in found(lines_of(text)):
        kind = kind_of_language(language)
        if kind is not None and (block := _block(kind, lines)) is not None:
            yield block


def _block(kind: Kind, lines: Sequence[Line]) -> Block | None:
    code = trimmed(dedented(lines))
    session = has_prompts(code, kind)
    if session:
        code = typed(code, kind)
    return Block(kind, tuple(code), session) if code else None
