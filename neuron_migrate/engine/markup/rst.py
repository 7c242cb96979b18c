"""The code of reStructuredText: code directives, literal blocks and doctests.

docutils would have to know every directive of Sphinx and of a project's own extensions before it
reads what stands in them, and it does not tell the column of code. Where code begins and ends shows
by indentation alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from neuron_migrate.engine.markup.languages import language_in
from neuron_migrate.engine.markup.lines import dedented

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from neuron_migrate.engine.markup.lines import Line

_DIRECTIVE = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+\.[ \t]+)?\.\. ([\w:-]+)::[ \t]*([\w.+-]*)")
_MARKED = re.compile(r"[ \t]*\.\.(?:[ \t]|$)")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_WITHOUT_CODE = frozenset({"parsed-literal", "math", "graphviz", "raw", "csv-table"})


def blocks(lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    """The language of every block of code and the lines in it, in the order of the document."""
    highlighted = "python"  # what Sphinx takes code for that names no language
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        directive = _DIRECTIVE.match(line.text)
        if directive is None:
            if line.text.lstrip().startswith(">>>"):
                end = _doctest(lines, number - 1)
                yield "python", dedented(lines[number - 1 : end])
                number = end
            elif line.text.rstrip().endswith("::") and not _MARKED.match(line.text):
                end = _indented(lines, number, line.indent)
                yield highlighted, dedented(lines[number:end])
                number = end
            continue
        if directive[1] in {"highlight", "highlightlang"}:
            highlighted = directive[2]
            continue
        language = language_in(directive[1], directive[2], highlighted)
        if language is None and directive[1] not in _WITHOUT_CODE:
            continue
        end = _indented(lines, number, _margin(line))
        if language is not None:
            yield language, dedented(_without_options(lines[number:end]))
        number = end


def _margin(line: Line) -> int:
    """The column of the dots that a directive begins with."""
    return line.text.index("..")


def _indented(lines: Sequence[Line], start: int, margin: int) -> int:
    """The end of the lines that stand deeper than a margin."""
    end = number = start
    while number < len(lines) and (lines[number].is_blank or lines[number].indent > margin):
        number += 1
        end = end if lines[number - 1].is_blank else number
    return end


def _doctest(lines: Sequence[Line], start: int) -> int:
    end = start
    while end < len(lines) and not lines[end].is_blank:
        end += 1
    return end


def _without_options(lines: Sequence[Line]) -> Sequence[Line]:
    options = 0
    while options < len(lines) and _OPTION.match(lines[options].text):
        options += 1
    return lines[options:]
