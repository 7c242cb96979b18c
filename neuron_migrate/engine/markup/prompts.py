"""Sessions: code behind prompts, between what it printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.files.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.markup.lines import Line

_PYTHON = re.compile(r"(?:>>>|\.\.\.)(?: |$)")
_SHELL = re.compile(r"(?:\([\w.-]+\) )?[$%] ")
_SHELL_MORE = re.compile(r"> ")


def has_prompts(lines: Sequence[Line], kind: Kind) -> bool:
    """Whether a block is a session: its code stands behind prompts."""
    spoken = [each.text for each in lines if not each.is_blank]
    if kind is Kind.PYTHON:
        return spoken[0].startswith(">>>") if spoken else False
    said = (text for text in spoken if not text.startswith("#"))
    return kind is Kind.SHELL and _SHELL.match(next(said, "")) is not None


def typed(lines: Sequence[Line], kind: Kind) -> list[Line]:
    """The lines of a session that were typed, without their prompts."""
    return [*(_python(lines) if kind is Kind.PYTHON else _shell(lines))]


def _python(lines: Sequence[Line]) -> Iterator[Line]:
    for line in lines:
        match = _PYTHON.match(line.text)
        if match is not None:
            yield line.cut(match.end())


def _shell(lines: Sequence[Line]) -> Iterator[Line]:
    more = False
    for line in lines:
        match = (_SHELL_MORE if more else _SHELL).match(line.text)
        if match is not None or more:
            yield line.cut(match.end() if match else 0)
            more = line.text.endswith("\\")
