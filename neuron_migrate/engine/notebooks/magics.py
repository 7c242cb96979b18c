"""The code of a cell as Python of the same length, and what else is in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from neuron_migrate.engine.analysis import AnalysisError, parse
from neuron_migrate.engine.notebooks.escapes import Escape, escapes, is_python
from neuron_migrate.engine.texts.facts import Span

_CELL_MAGIC = re.compile(
    r"(?:[ \t]*(?:#[^\r\n]*)?[\r\n])*[ \t]*(?P<mark>%%)(?P<name>!|\w+)(?P<rest>[^\r\n]*)"
)
"""The first line that is no comment: Colab has its forms in comments above."""
_PYTHON = frozenset({"capture", "debug", "prun", "python", "python3", "time", "timeit"})
_SHELL = frozenset({"!", "bash", "sh", "shell", "system", "sx"})
_OTHER = frozenset(
    {
        "bigquery", "cmd", "cython", "file", "html", "HTML", "javascript", "js", "latex",
        "markdown", "perl", "pypy", "python2", "R", "ruby", "script", "sql", "svg", "SVG",
        "writefile",
    }
)  # fmt: skip
_SHELL_SCRIPT = re.compile(r"[ \t]+(?:--?\w\S*[ \t]+)*(?:\S*/)?(?:env[ \t]+)?(?:ba|z|da|k)?sh\b")
_IS_SHELL = re.compile(r"(?:sx|system|shell)[ \t]+")
_CHARACTER = re.compile(r"[^\r\n]")


@dataclass(slots=True)
class Plain:
    """The code of a cell without what only IPython reads."""

    text: str
    """Python, as long as the cell and with the same lines."""
    python: bool = True
    """False for a cell in another language."""
    begins: int = 0
    """Where Python begins: after the magic of the cell."""
    shell: list[Span] = field(default_factory=list)
    """Shell code in the cell, without its ``!``."""
    lines: list[Span] = field(default_factory=list)
    """Line magics, without their ``%``."""

    def after(self, offset: int) -> Plain:
        """The rest of the code from an offset on."""
        return Plain(
            self.text[offset:],
            shell=[Span(each.start - offset, each.end - offset) for each in self.shell],
            lines=[Span(each.start - offset, each.end - offset) for each in self.lines],
        )


def plain(source: str) -> Plain:
    """The code of a cell as Python.

    Raises AnalysisError when it is none even so.
    """
    magic = _CELL_MAGIC.match(source)
    if magic is None:
        return _without_escapes(Plain(source))
    name = magic["name"]
    if name in _SHELL or (name == "script" and _SHELL_SCRIPT.match(magic["rest"])):
        return Plain(_blank(source), python=False, shell=[Span(magic.end(), len(source))])
    if name in _OTHER:
        return Plain(_blank(source), python=False)
    begins = _next_line(source, magic.end())
    try:
        text = _replaced(source, magic.start("mark"), magic.end())
        return _without_escapes(Plain(text, begins=begins))
    except AnalysisError:
        if name in _PYTHON:
            raise
        # A cell magic that is not known may read anything.
        return Plain(_blank(source), python=False)


def _without_escapes(found: Plain) -> Plain:
    if is_python(found.text):
        return found
    source = found.text
    for escape in escapes(source, found.begins):
        _take(escape, source, found)
    parse(found.text)
    return found


def _take(escape: Escape, source: str, found: Plain) -> None:
    """Take out what only IPython reads."""
    start, code, end = escape.start, escape.code, escape.end
    if escape.kind == "run":
        found.text = found.text[:start] + "0".ljust(code - start - 1) + ";" + found.text[code:]
        return
    command = _IS_SHELL.match(source, code, end) if escape.kind == "magic" else None
    if escape.kind == "shell" or command is not None:
        found.shell.append(Span(command.end() if command else code, end))
    elif escape.kind == "magic":
        found.lines.append(Span(code, end))
    found.text = _replaced(found.text, start, end)


def _next_line(text: str, start: int) -> int:
    return start + (2 if text.startswith("\r\n", start) else text[start : start + 1] != "")


def _replaced(text: str, start: int, end: int) -> str:
    """The text with a number and blanks in place of a range."""
    return text[:start] + _blank(text[start:end]) + text[end:]


def _blank(text: str) -> str:
    """A number and blanks, as long as the text and with its line ends."""
    blank = _CHARACTER.sub(" ", text)
    first = len(text) - len(text.lstrip())
    return blank[:first] + "0" + blank[first + 1 :] if text.strip() else blank
