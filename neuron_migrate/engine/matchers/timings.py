"""Two readings of a clock around work on the device that nobody waits for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from neuron_migrate.catalog.patterns import TimingMatch
from neuron_migrate.engine import receivers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.schema import Rule
    from neuron_migrate.engine.file import File
    from neuron_migrate.engine.here import Here

_COMMENT = re.compile(r"#[^\r\n]*")


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading of a clock: what it is kept as, or what it is compared with."""

    rule: Rule
    call: cst.Call
    here: Here
    name: str
    """The variable it is kept in, if any."""
    since: str
    """The variable that is subtracted from it at once, if any."""


class Timings:
    """Matches rules of kind ``timing``."""

    nodes = (cst.Call,)

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = [(rule, rule.match) for rule in rules if isinstance(rule.match, TimingMatch)]
        self._readings: list[_Reading] = []

    def match(self, node: cst.CSTNode, here: Here) -> None:
        """Note a reading of a clock."""
        assert isinstance(node, cst.Call)
        for rule, pattern in self.rules:
            if here.path(node.func) in pattern.clocks:
                self._readings.append(_reading(rule, node, here))

    def finish(self, file: File) -> None:
        """Report the second reading of a pair with nothing that waits between the two."""
        readings, self._readings = self._readings, []
        if not receivers.handles_tensors(file):
            return
        for second in readings:
            first = _first(second, readings, file)
            if first is None:
                continue
            between = _COMMENT.sub("", file.text[_offset(first) : second.here.piece.start])
            pattern = second.rule.match
            assert isinstance(pattern, TimingMatch)
            if re.search(pattern.work, between) and not re.search(pattern.waits, between):
                second.here.report(second.rule, second.call.func)


def _reading(rule: Rule, call: cst.Call, here: Here) -> _Reading:
    parent = here.parent(call)
    name = since = ""
    if isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, cst.Subtract):
        if parent.left is call:
            since = here.source(parent.right)
    elif isinstance(parent, cst.Assign) and len(parent.targets) == 1:
        name = here.source(parent.targets[0].target)
    return _Reading(rule, call, here, name, since)


def _first(second: _Reading, readings: list[_Reading], file: File) -> _Reading | None:
    """The last reading before this one, of the same function, that it is compared with."""
    found = None
    for each in readings:
        if each is second:
            break
        if not each.name or each.here.scope is not second.here.scope:
            continue
        if second.since == each.name or _is_subtracted(each.name, second, file):
            found = each
    return found


def _is_subtracted(start: str, second: _Reading, file: File) -> bool:
    """True for ``end = clock()`` where ``end - start`` follows."""
    if not second.name or second.name == start:
        return False
    taken = rf"(?<![\w.]){re.escape(second.name)}\s*-\s*{re.escape(start)}(?![\w.])"
    return re.search(taken, file.text[_offset(second) :]) is not None


def _offset(reading: _Reading) -> int:
    return reading.here.piece.span(reading.call)[0]
