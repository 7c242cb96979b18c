"""What holds for every test."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """A job in the background ignores Ctrl-C, and so would every command that the tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
