"""What a cell does outside Python: its shell code and the magics that set or install something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.texts.facts import Reading, Span, Variable
from neuron_migrate.engine.texts.readers.shell import read_part

if TYPE_CHECKING:
    from neuron_migrate.engine.notebooks.magics import Plain

_SET = re.compile(r"(?:env|set_env)[ \t]+(\w+)(?:[ \t]*=[ \t]*|[ \t]+)(.*)")
_INTERPOLATED = re.compile(r"(?<![\\${])\{[^{}\r\n]+\}")
"""A value of Python in a line that IPython hands on."""
_INSTALLS = re.compile(r"(?:pip3?|conda|mamba|uv)\b")


def facts(plain: Plain, source: str, start: int) -> Reading:
    """The facts of a cell whose source stands at ``start``."""
    result = Reading()
    for span in [*plain.shell, *(each for each in plain.lines if _is_command(each, source))]:
        code = source[span.start : span.end]
        if plain.python:
            code = _INTERPOLATED.sub(_as_variable, code)
        found = read_part(code, start + span.start)
        result.facts += found.facts
        result.comments += found.comments
    for span in plain.lines:
        match = _SET.match(source, span.start, span.end)
        if match is not None:
            result.facts.append(_variable(match, start))
    return result


def _is_command(span: Span, source: str) -> bool:
    return _INSTALLS.match(source, span.start, span.end) is not None


def _as_variable(match: re.Match[str]) -> str:
    """A variable of the shell, as long as what it stands for."""
    return "$" + "_" * (len(match[0]) - 1)


def _variable(match: re.Match[str], start: int) -> Variable:
    value = match[2].strip()
    computed = "$" in value or "{" in value
    return Variable(
        match[1],
        None if computed else value,
        Span(start + match.start(1), start + match.start(2) + len(match[2].rstrip())),
        Span(start + match.start(1), start + match.end(1)),
        Span(start + match.start(2), start + match.start(2) + len(match[2].rstrip())),
    )
