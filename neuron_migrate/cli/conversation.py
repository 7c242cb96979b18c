"""The questions of ``fix --interactive`` and what the answers mean."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Protocol

from neuron_migrate.engine.choice import Answer
from neuron_migrate.engine.notebooks.cells import sources
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.report import ansi, diff, explain, offer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.engine.choice import Offer
    from neuron_migrate.finding import Finding

_HELP = """\
y - yes, make this fix
n - no, leave it, and what does not hold without it
a - yes to this and to all later fixes of this rule, in every file
f - yes to this and to the rest of this file
s - skip: no to this and to the rest of this file
w - why: the reasons of the rule, how safe its fix is, and the sources
u - undo the last answer in this file
q - quit: no to all that is left; what was accepted is written
x - exit: nothing is written
? - this help
Nothing is written before the last question.
"""
_KEYS = "[y,n,a,f,s,w,u,q,x,?]?"
_NO_UNDO = "There is no answer to take back: those before are settled.\n"


class Talks(Protocol):
    """A terminal."""

    @property
    def color(self) -> bool:
        """Whether it shows colours."""

    @property
    def width(self) -> int:
        """Its columns."""

    def show(self, content: str | bytes) -> None:
        """Print it."""

    def ask(self, prompt: str) -> str | None:
        """The line that is typed; None where there are no more."""


class End(Enum):
    """Why there are no more questions."""

    QUIT = "what was accepted is written"
    ABORT = "nothing is written"


class Conversation:
    """Asks about one offer after another, and remembers what an answer says about later ones."""

    def __init__(self, terminal: Talks, catalog: Catalog) -> None:
        self._terminal = terminal
        self._catalog = catalog
        self._rules: frozenset[str] = frozenset()
        self._rules_before: list[frozenset[str]] = []
        self._whole_file = False
        self.end: End | None = None

    def begin(self) -> None:
        """The next offers are those of another file."""
        self._whole_file = False

    def known(self, findings: Sequence[Finding]) -> bool | None:
        """Yes where the rest of the file, or all of these rules, are accepted."""
        if self._whole_file or {each.code for each in findings} <= self._rules:
            return True
        return None

    def stays(self, findings: Sequence[Finding]) -> None:
        """Say which fixes do not hold without the one just declined."""
        self._terminal.show(offer.staying(findings))

    def ask(self, asked: Offer) -> Answer:
        """The answer to an offer."""
        self._show(asked)
        prompt = self._prompt(len(asked.findings))
        while True:
            typed = self._terminal.ask(prompt)
            answer = self._understood("x" if typed is None else typed.lower(), asked)
            if answer is not None:
                return answer

    def _understood(self, key: str, asked: Offer) -> Answer | None:
        """What is meant; None where the question is to be put again."""
        if key in {"y", "n", "a", "f"}:
            self._rules_before.append(self._rules)
            if key == "a":
                self._rules |= {each.code for each in asked.findings}
            self._whole_file = key == "f"
            return Answer.NO if key == "n" else Answer.YES
        if key in {"s", "q", "x"}:
            self.end = {"q": End.QUIT, "x": End.ABORT}.get(key)
            return Answer.NO_MORE
        if key == "u" and not asked.first:
            self._rules = self._rules_before.pop()
            return Answer.UNDO
        self._terminal.show(self._told(key, asked))
        return None

    def _told(self, key: str, asked: Offer) -> str:
        if key == "u":
            return _NO_UNDO
        if key != "w":
            return _HELP
        codes = dict.fromkeys(each.code for each in asked.findings)
        rules = [rule for code in codes if (rule := self._catalog.rule(code)) is not None]
        return "\n".join(map(explain.reasons, rules)) + "\n"

    def _show(self, asked: Offer) -> None:
        terminal = self._terminal
        terminal.show(
            "\n" + offer.heading(asked.findings, width=terminal.width, color=terminal.color)
        )
        hunks = _hunks(asked)
        terminal.show(diff.colored(hunks) if terminal.color else hunks)

    def _prompt(self, number: int) -> str:
        what = "this fix" if number == 1 else f"these {number} fixes"
        question = f"Make {what} {_KEYS}"
        return ansi.paint(question, ansi.CYAN, color=self._terminal.color) + " "


def _hunks(asked: Offer) -> bytes:
    """What the fix changes; of a notebook its code, without the JSON around it."""
    path = asked.findings[0].path
    if kind_of(path) is Kind.NOTEBOOK:
        shown = diff.by_cell(path, sources(asked.before), sources(asked.after))
        if shown:
            return shown
    return diff.hunks(asked.before, asked.after)
