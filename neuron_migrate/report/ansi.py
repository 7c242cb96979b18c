"""Colour for terminals: the few escape sequences the reports use."""

from __future__ import annotations

from neuron_migrate.finding import Risk

BOLD = "1"
RED = "31"
GREEN = "32"
CYAN = "36"

RISK = {
    Risk.BREAKS: "1;31",
    Risk.WRONG: "1;35",
    Risk.CPU: "1;33",
    Risk.RECOMPILES: "33",
    Risk.SLOW: "33",
    Risk.INFO: "36",
}


def paint(text: str, style: str, *, color: bool) -> str:
    """The text in that style, or as it is when there is no colour."""
    return f"\x1b[{style}m{text}\x1b[0m" if color else text
