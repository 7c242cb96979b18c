"""A block of Python as the Python it stands for; documents hold fragments too."""

from __future__ import annotations

import re

from neuron_migrate.engine.analysis import AnalysisError
from neuron_migrate.engine.notebooks.magics import Plain, plain

_REST = re.compile(r"(?<=[(,\s])\.\.\.(?=[ \t]*(?:#[^\r\n]*)?[\r\n]*[ \t]*[,)])")
UNPACKED = "**_"
"""Stands for ``...`` after a keyword argument: that others follow, as long as what it replaces."""


def understood(code: str) -> Plain | None:
    """The code as Python of the same length; None for what is none."""
    eased = _REST.sub(UNPACKED, code)
    for each in dict.fromkeys((code, eased)):
        try:
            return plain(each)
        except AnalysisError:
            continue
    return None
