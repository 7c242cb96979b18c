"""Where a user's caches are, if there is such a place."""

from __future__ import annotations

from pathlib import Path

import platformdirs


def cache_folder() -> Path | None:
    """The folder of this tool; None for a user without a home, as containers run them."""
    try:
        folder = Path(platformdirs.user_cache_dir("neuron-migrate"))
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None
