"""A bar on the terminal for runs that make a person wait."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from neuron_migrate.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID
    from typing_extensions import Self

PATIENCE = 1.0
"""Seconds before the bar appears; rich is not even imported before."""


class Progress:
    """Counts finished files; shows the count on a terminal once a run takes long."""

    def __init__(self, total: int, *, wanted: bool = True) -> None:
        self._total = total
        self._done = 0
        self._wanted = wanted and is_terminal(sys.stderr)
        self._start = time.monotonic()
        self._bar: Bar | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, _result: Any = None) -> None:
        """One more file is done."""
        self._done += 1
        if self._bar is None and self._wanted and time.monotonic() - self._start > PATIENCE:
            self._show()
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done)

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress as Bar

        self._bar = Bar(console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("reading", total=self._total)
        self._bar.start()
