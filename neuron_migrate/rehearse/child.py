"""Runs a script on the simulated device: `python -m neuron_migrate.rehearse.child`.

child --recording DIRECTORY [--cores N] [-m MODULE | SCRIPT] ARGUMENT…
"""

from __future__ import annotations

import sys
from pathlib import Path

from neuron_migrate.rehearse import plugin
from neuron_migrate.rehearse.script import Script


def parse(arguments: list[str]) -> tuple[Path, int | None, Script]:
    """The directory of recordings, the number of cores, and the program with its arguments."""
    rest = list(arguments)
    options: dict[str, str] = {}
    while rest and rest[0] in ("--recording", "--cores"):
        options[rest[0]] = rest[1]
        rest = rest[2:]
    cores = int(options["--cores"]) if "--cores" in options else None
    as_module = rest[:1] == ["-m"]
    if as_module:
        rest = rest[1:]
    return Path(options["--recording"]), cores, Script(rest[0], tuple(rest[1:]), as_module)


def main(arguments: list[str] | None = None) -> int:
    """Run the script as its own process would, and write what it did; its exit code."""
    directory, cores, script = parse(sys.argv[1:] if arguments is None else arguments)
    plugin.announce(directory.resolve(), cores)
    from neuron_migrate.rehearse.session import Session

    session = Session(directory.resolve(), cores, script.command)
    plugin.announce_to_spawned(directory.resolve())
    outcome = script.run(session.lines)
    session.finish(outcome)
    return outcome.exit_code


if __name__ == "__main__":
    sys.exit(main())
