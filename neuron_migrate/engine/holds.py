"""What elsewhere in a file speaks against a rewrite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from neuron_migrate.catalog.patterns import Hold
    from neuron_migrate.engine.here import Here


def strongest(holds: Iterable[Hold], here: Here) -> Hold | None:
    """The first hold that the file gives reason for, one that forbids the rewrite before others."""
    found = [
        hold
        for hold in holds
        if hold.target in {None, here.target} and re.search(hold.text, here.file.text)
    ]
    return min(found, key=lambda hold: hold.unsafe, default=None)
