"""A document with its code: its programs in Python, and each other block on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from neuron_migrate.engine.markup.blocks import read
from neuron_migrate.engine.markup.code import Code
from neuron_migrate.engine.markup.programs import assumed, programs
from neuron_migrate.engine.markup.python import understood
from neuron_migrate.engine.notebooks.commands import facts
from neuron_migrate.engine.texts.facts import Reading
from neuron_migrate.files.kinds import Kind
from neuron_migrate.files.lines import Lines

if TYPE_CHECKING:
    from neuron_migrate.engine.markup.blocks import Block
    from neuron_migrate.engine.notebooks.magics import Plain


@dataclass(frozen=True, slots=True)
class Program:
    """Blocks of Python as one module."""

    code: Code
    python: str
    """The code without what only IPython reads."""
    shell: Reading
    """What its IPython lines do."""


class Document:
    """The blocks of a document that can be read."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.lines = Lines(text)
        self.texts: list[tuple[Kind, Code]] = []
        known: list[tuple[tuple[Block, Plain], str]] = []
        for block in read(text, path):
            code = Code([block], self.lines.newline)
            if block.kind is not Kind.PYTHON:
                self.texts.append((block.kind, code))
            elif (plain := understood(code.text)) is not None:
                known.append(((block, plain), plain.text))
        self.programs = [_program(each, self.lines.newline) for each in programs(known)]
        self.understood = len(known)
        """How many blocks of Python can be read."""


def _program(blocks: list[tuple[Block, Plain]], newline: str) -> Program:
    line = assumed(plain.text for _, plain in blocks)
    code = Code([block for block, _ in blocks], newline, line)
    before = line and line + newline
    shell, start = Reading(), len(before)
    for _, plain in blocks:
        found = facts(plain, code.text[start : start + len(plain.text)], start)
        shell.facts += found.facts
        shell.comments += found.comments
        start += len(plain.text)
    return Program(code, before + "".join(plain.text for _, plain in blocks), shell)
