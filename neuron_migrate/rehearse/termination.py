"""Writes the recording of a rank that is told to end: torchrun ends the others when one fails.

Such a rank mostly waits in C++ for the one that failed, where no Python handler runs; a thread
that reads the signals from a pipe does.
"""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

BY_SIGNAL = 128 + signal.SIGTERM
"""The exit code that shells give for a process ended by SIGTERM."""


def write_when_told(write: Callable[[], None]) -> None:
    """Call `write` on SIGTERM and end the process, unless the program handles the signal."""
    if signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.signal(signal.SIGTERM, _stay)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    os.register_at_fork(after_in_child=_forget)
    threading.Thread(target=_watch, args=(reading, write), daemon=True).start()


def _stay(_: int, __: Any) -> None:
    """Leave it to the thread."""


def _watch(reading: int, write: Callable[[], None]) -> None:
    while received := os.read(reading, 1):
        if received[0] == signal.SIGTERM and signal.getsignal(signal.SIGTERM) is _stay:
            write()
            os._exit(BY_SIGNAL)


def _forget() -> None:
    """Processes that a rank forks end as they always do."""
    if signal.getsignal(signal.SIGTERM) is _stay:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
