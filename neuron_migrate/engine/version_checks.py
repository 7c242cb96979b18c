"""Code that runs with some versions of a library only."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neuron_migrate.engine.index import Statement

_ASKS = re.compile(r"version|_(?:lt|le|gt|ge|eq)_|greater|less_than|_v\d|\bV\d", re.IGNORECASE)


def decided_by_version(statement: Statement) -> bool:
    """True when a condition around the statement asks for the version of something."""
    return any(
        isinstance(outer.node, (ast.If, ast.While)) and _ASKS.search(ast.unparse(outer.node.test))
        for outer in statement.ancestors()
    )
