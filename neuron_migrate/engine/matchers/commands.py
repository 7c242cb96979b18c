"""Programs that the code starts, such as ``nvidia-smi``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import CommandMatch
from neuron_migrate.engine import arguments, optional

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here
    from neuron_migrate.finding import Risk

_COMMAND_NAME = re.compile(r"(^|_)(cmd|command|commands|query)($|_)", re.IGNORECASE)


class Commands:
    """Matches rules of kind ``command``."""

    nodes = (cst.SimpleString, cst.FormattedString)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, CommandMatch)]

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Report a string that begins with the name of one of the programs, where it is started."""
        first = _first_text(node)
        for rule, pattern in self.rules:
            begins = any(re.match(rf"{re.escape(each)}(\s|$)", first) for each in pattern.programs)
            if begins and _is_meant(pattern, here) and _is_started(node, pattern, here):
                here.report(rule, node, risk=_risk(node, pattern, here))

    def finish(self, file: File) -> None:
        """Nothing is left for the end."""


def _first_text(node: cst.CSTNode) -> str:
    """What the string begins with."""
    if isinstance(node, cst.SimpleString):
        return node.raw_value
    assert isinstance(node, cst.FormattedString)
    part = node.parts[0] if node.parts else None
    return part.value if isinstance(part, cst.FormattedStringText) else ""


def _is_meant(pattern: CommandMatch, here: Here) -> bool:
    """True when the statement holds what the rule asks for beside the program."""
    return pattern.text is None or re.search(pattern.text, here.piece.source) is not None


def _risk(node: cst.CSTNode, pattern: CommandMatch, here: Here) -> Risk | None:
    """What is at stake where the program is missing, if that is not what the rule says."""
    for outer in here.ancestors(node):
        if isinstance(outer, cst.Call):
            path = here.path(outer.func)
            if any(fnmatchcase(path, function) for function in pattern.raising):
                return None if _is_caught(outer, here) else pattern.raised
    return None


def _is_caught(call: cst.Call, here: Here) -> bool:
    """True where a shell answers for the program, or a ``try`` or a test stands around the call."""
    shell = arguments.keyword(call, "shell")
    if shell is not None and here.source(shell.value) != "False":
        return True
    return optional.is_caught(here)


def _is_started(node: cst.CSTNode, pattern: CommandMatch, here: Here) -> bool:
    for outer in here.ancestors(node):
        if isinstance(outer, cst.Call):
            path = here.path(outer.func)
            if any(fnmatchcase(path, function) for function in pattern.functions):
                return True
        elif isinstance(outer, cst.Assign):
            targets = (each.target for each in outer.targets)
            return any(isinstance(t, cst.Name) and _COMMAND_NAME.search(t.value) for t in targets)
    return False
