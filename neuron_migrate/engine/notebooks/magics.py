"""What IPython adds to Python: found, and replaced by Python of the same length."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from neuron_migrate.engine.analysis import AnalysisError, parse
from neuron_migrate.engine.texts.facts import Span

_CELL_MAGIC = re.compile(r"\s*%%(\w+)[^\n]*")
_SHELL_CELLS = frozenset({"bash", "sh", "script", "system", "sx"})
_OTHER_CELLS = frozenset(
    {
        "bigquery", "cmd", "cython", "file", "html", "HTML", "javascript", "js", "latex",
        "markdown", "perl", "pypy", "python2", "R", "ruby", "sql", "svg", "SVG", "writefile",
    }
)  # fmt: skip
_MAGIC = re.compile(r"\s*%%(\w+)[^\n]*")
_SHELL_CELLS = frozenset({"bash", "sh", "script", "system", "sx"})
_OTHER_CELLS = frozenset(
    [
        "bigquery",
        "cmd",
        "cython",
        "file",
        "html",
        "javascript",
        "js",
        "latex",
        "markdown",
        "perl",
        "pypy",
        "python2",
        "R",
        "ruby",
        "sql",
        "svg",
        "writefile",
        "HTML",
        "SVG",
    ]
)
_MAGIC = re.compile(r"[ \t]*(?:[\w, \t.\[\]'\"]+=[ \t]*)?(?P<mark>!|%)")
_HELP = re.compile(r"[ \t]*\?{1,2}\S|.*\?{1,2}[ \t]*$")
_AUTOMATIC = re.compile(
    r"[ \t]*(?:pip|conda|mamba|cd|ls|pwd|mkdir|rm|cp|mv|cat)\b(?![ \t]*[=.(\[])"
)
_RUNS_CODE = re.compile(r"[ \t]*%(?:time|prun)[ \t]+")
_MOST = 500
"""Lines of IPython in one cell; what has more is taken for something else."""


@dataclass(slots=True)
class Plain:
    """The code of a cell without what only IPython reads."""

    text: str
    """Python, as long as the cell and with the same lines."""
    shell: list[Span] = field(default_factory=list)
    """Shell code in the cell, without its ``!``."""
    lines: list[Span] = field(default_factory=list)
    """Line magics, without their ``%``."""


def plain(source: str) -> Plain:
    """The code of a cell as Python.

    Raises AnalysisError when it is none even so.
    """
    magic = _CELL_MAGIC.match(source)
    if magic is None:
        return _without_lines(source, 0)
    if magic[1] in _SHELL_CELLS:
        return Plain(_blank(source), shell=[Span(magic.end(), len(source))])
    if magic[1] in _OTHER_CELLS:
        return Plain(_blank(source))
    try:
        return _without_lines(_replaced(source, magic.start(), magic.end()), magic.end())
    except AnalysisError:
        return Plain(_blank(source))  # a cell magic that is not known may read anything


def _without_lines(source: str, start: int) -> Plain:
    """Lines that Python refuses and IPython reads are taken out, one after the other."""
    result = Plain(source)
    for _ in range(_MOST):
        try:
            parse(result.text)
        except AnalysisError as error:
            if not _take(result, error.line, start):
                raise
        else:
            return result
    raise AnalysisError("too many lines that are not Python")


def _take(result: Plain, number: int, start: int) -> bool:
    """Take a line out, if IPython reads it; False when it does not."""
    lines = result.text.split("\n")
    if not 1 <= number <= len(lines):
        return False
    first = sum(len(line) + 1 for line in lines[: number - 1])
    line = lines[number - 1]
    magic = _MAGIC.match(line)
    if first < start or not (magic or _HELP.match(line) or _AUTOMATIC.match(line)):
        return False
    last = first + len(line)
    while result.text[:last].endswith("\\") and number < len(lines):
        last += 1 + len(lines[number])
        number += 1
    runs = _RUNS_CODE.match(line)
    if runs is not None and _is_python(line[runs.end() :]):
        indent = len(line) - len(line.lstrip())
        prefix = line[:indent] + "0".ljust(runs.end() - indent - 1) + ";"
        result.text = result.text[:first] + prefix + result.text[first + runs.end() :]
        return True
    begin = first + (magic.start("mark") if magic else len(line) - len(line.lstrip()))
    if magic and magic["mark"] == "!":
        result.shell.append(Span(begin + 1, last))
    elif magic or _AUTOMATIC.match(line):
        result.lines.append(Span(begin + (1 if magic else 0), last))
    result.text = _replaced(result.text, begin, last)
    return True


def _is_python(code: str) -> bool:
    try:
        parse(code)
    except AnalysisError:
        return False
    return True


def _replaced(text: str, start: int, end: int) -> str:
    """The text with a number and blanks in place of a range."""
    return text[:start] + _blank(text[start:end]) + text[end:]


def _blank(text: str) -> str:
    """A number and blanks, as long as the text and with its line ends."""
    blank = re.sub(r"[^\n]", " ", text)
    first = len(text) - len(text.lstrip())
    return blank[:first] + "0" + blank[first + 1 :] if text.strip() else blank
