"""``neuron-migrate undo``: give back what the last ``fix --apply`` changed."""

from __future__ import annotations

from pathlib import Path

from neuron_migrate.cli import options as o  # noqa: TC001 - typer reads the annotations


def undo(config: o.ConfigOption = None) -> None:
    """Give back, byte for byte, what the last fix --apply changed.

    Refuses, and changes nothing, when one of the files was edited since.
    """
    from neuron_migrate.apply.undo import undo as give_back
    from neuron_migrate.apply.write import ApplyError
    from neuron_migrate.cli.output import show
    from neuron_migrate.config import load
    from neuron_migrate.errors import UsageError
    from neuron_migrate.report.layout import counted, one_line

    root = load(config, Path.cwd())[0].root
    try:
        restored = give_back(root).restored
    except ApplyError as error:
        raise UsageError(f"{error}; run undo again to go on") from error
    names = "".join(f"  {one_line(str(path))}\n" for path in restored)
    show(f"Restored {counted(len(restored), 'file')}.\n{names}")
