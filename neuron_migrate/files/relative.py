"""How findings name a file."""

from __future__ import annotations

import os
from pathlib import Path


def relative(file: Path, root: Path) -> str:
    """The path relative to the root, also when it is outside, with slashes."""
    absolute = file if file.is_absolute() else Path.cwd() / file
    try:
        return absolute.relative_to(root).as_posix()
    except ValueError:
        return os.path.relpath(absolute, root).replace(os.sep, "/")
