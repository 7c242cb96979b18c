"""What a person did wrong."""

from __future__ import annotations


class UsageError(Exception):
    """A person's mistake; its text is printed as one line and the run ends with status 2."""
