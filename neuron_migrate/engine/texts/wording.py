"""How what a rule notes becomes part of a message."""

from __future__ import annotations


def sentence(note: str) -> str:
    """The note with the full stop that other sentences can follow."""
    return note if not note or note.endswith((".", "!", "?", ":")) else f"{note}."
