"""A person chooses among the fixes of a file, one after another, while the passes go on.

What is declined is hidden from the rules, so that they decide anew what still holds without it: an
import stays whose use stays, a test stays that would switch on what is left to CUDA.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from neuron_migrate.engine import edits
from neuron_migrate.engine.declined import mark
from neuron_migrate.engine.fixpoint import choose

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from neuron_migrate.engine.declined import Mark
    from neuron_migrate.engine.fixpoint import Analysing
    from neuron_migrate.finding import Edit, Finding

Marks = frozenset["Mark"]


class Answer(Enum):
    """What is said about one offer."""

    YES = "yes"
    NO = "no"
    UNDO = "undo"
    """Ask once more what was asked before."""
    NO_MORE = "no more"
    """No to this one and to the rest of the file."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Findings whose fixes are made together or not at all."""

    findings: tuple[Finding, ...]
    before: str
    """The text with what was accepted so far."""
    after: str
    first: bool
    """Whether there is no answer that could be taken back."""


class Asking(Protocol):
    """Who answers."""

    def known(self, findings: Sequence[Finding]) -> bool | None:
        """What an earlier answer says about the findings too; None where they are to be asked."""

    def ask(self, offer: Offer) -> Answer:
        """The answer to an offer."""

    def stays(self, findings: Sequence[Finding]) -> None:
        """Hear which fixes do not hold without the one just declined: they are off as well."""


class _State(NamedTuple):
    """What is decided in a pass, and what is on offer with that."""

    accepted: Marks
    declined: Marks
    offered: tuple[Finding, ...]
    left: tuple[Finding, ...]


class Choice:
    """The choice among the fixes of one file, over all its passes."""

    def __init__(self, analyzer: Analysing, path: str, asking: Asking, *, unsafe: bool) -> None:
        self._analyzer = analyzer
        self._path = path
        self._asking = asking
        self._unsafe = unsafe
        self._declined: Marks = frozenset()
        self._over = False
        self.accepted: list[Finding] = []
        """The findings whose fixes were made."""
        self.declined: list[Finding] = []
        """Those that were offered and left, with those that do not hold without them."""

    def decide(self, text: str, found: Sequence[Finding]) -> Sequence[Finding]:
        """The fixes of a pass that were accepted; all others are declined for good."""
        offered = self._offered(text, self._declined) if self._declined else tuple(found)
        state = _State(frozenset(), self._declined, offered, ())
        asked: list[_State] = []
        while (group := _undecided(state)) is not None:
            known = False if self._over else self._asking.known(group)
            if known is not None:
                state = self._answered(state, group, text, yes=known)
                continue
            answer = self._asking.ask(self._offer(text, state, group, first=not asked))
            if answer is Answer.UNDO:
                state = asked.pop() if asked else state
                continue
            asked.append(state)
            self._over = answer is Answer.NO_MORE
            if self._over:
                group = tuple(each for each in state.offered if mark(each) not in state.accepted)
            state = self._answered(state, group, text, yes=answer is Answer.YES)
        self._settle(state)
        return state.offered

    def _answered(self, state: _State, group: Sequence[Finding], text: str, *, yes: bool) -> _State:
        marks = frozenset(map(mark, group))
        if yes:
            return state._replace(accepted=state.accepted | marks)
        declined = state.declined | marks
        offered = self._offered(text, declined)
        still = set(map(mark, offered)) | marks
        gone = [each for each in state.offered if mark(each) not in still]
        if gone and not self._over:
            self._asking.stays(gone)
        return _State(state.accepted, declined, offered, (*state.left, *group, *gone))

    def _offered(self, text: str, declined: Marks) -> tuple[Finding, ...]:
        def holds(code: str, start: int, end: int) -> bool:
            return any(each.holds(code, start, end) for each in declined)

        findings = self._analyzer.analyse(text, self._path, holds)
        left = [each for each in findings if not holds(each.code, *each.span)]
        return tuple(choose(left, unsafe=self._unsafe))

    def _offer(self, text: str, state: _State, group: Sequence[Finding], *, first: bool) -> Offer:
        agreed = {
            edit for each in state.offered if mark(each) in state.accepted for edit in each.edits
        }
        new = {edit for each in group for edit in each.edits}
        return Offer(
            tuple(group), edits.apply(text, agreed), edits.apply(text, agreed | new), first
        )

    def _settle(self, state: _State) -> None:
        """Remember what is declined by where it stands after the pass."""
        made = {edit for each in state.offered for edit in each.edits}
        self._declined = frozenset(each.after(sorted(made)) for each in state.declined)
        self.accepted += state.offered
        self.declined += state.left


def _undecided(state: _State) -> tuple[Finding, ...] | None:
    """The first findings that are made together and not accepted yet."""
    for group in groups(state.offered):
        if not all(mark(each) in state.accepted for each in group):
            return group
    return None


def groups(findings: Sequence[Finding]) -> list[tuple[Finding, ...]]:
    """Findings whose fixes hold only together, or replace the same text.

    In their order, save that what rests on others comes after them.
    """
    owner: dict[object, int] = {}
    found: dict[int, list[Finding]] = {}
    for number, finding in enumerate(findings):
        keys = [*_keys(finding)]
        near = sorted({owner[key] for key in keys if key in owner})
        first = near[0] if near else number
        members = [each for old in near for each in found.pop(old)] + [finding]
        found[first] = members
        merged = set(near)
        owner = {key: first if old in merged else old for key, old in owner.items()}
        owner.update(dict.fromkeys(keys, first))
    made = [tuple(found[first]) for first in sorted(found)]
    return sorted(made, key=lambda group: any(each.rests for each in group))


def _keys(finding: Finding) -> Iterable[object]:
    """What two findings of one group have in common."""
    yield mark(finding)
    yield from finding.ties
    yield from (edit for edit in finding.edits if _replaces(edit))


def _replaces(edit: Edit) -> bool:
    """An added import is of use to each that needs it alone."""
    return edit.start < edit.end
