"""The command as installing the package would put it on the path, for this checkout."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def install(folder: Path) -> None:
    """Puts ``neuron-migrate`` into the folder, which may not be there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "neuron-migrate"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(ROOT)!r})\n"
        "from neuron_migrate.cli.app import main\nmain()\n"
    )
    path.chmod(0o755)
