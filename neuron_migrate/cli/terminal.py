"""A terminal to talk with a person: lines out, lines in."""

from __future__ import annotations

import shutil
import sys

from neuron_migrate.cli.output import emit, encoded, is_terminal


class Terminal:
    """Standard input and output. An answer is a line, as git asks for by default.

    So it works on every terminal and with every screen reader, and may be corrected.
    """

    def __init__(self, *, color: bool) -> None:
        self.color = color

    @staticmethod
    def is_there() -> bool:
        """Whether there is a person at both ends."""
        return is_terminal(sys.stdin) and is_terminal(sys.stdout)

    @property
    def width(self) -> int:
        """Columns."""
        return shutil.get_terminal_size().columns

    def show(self, content: str | bytes) -> None:
        """Print it."""
        emit(content if isinstance(content, bytes) else encoded(content, sys.stdout), sys.stdout)

    def ask(self, prompt: str) -> str | None:
        """The line that is typed; None where there are no more."""
        self.show(prompt)
        line = sys.stdin.readline()
        return line.strip() if line else None
