"""Runs a script on the simulated device: `python -m neuron_migrate.rehearse.child`.

child --recording DIRECTORY [--cores N] [--on-cpu] [-m MODULE | SCRIPT] ARGUMENT…
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.rehearse import plugin, seeding
from neuron_migrate.rehearse.script import Script

if TYPE_CHECKING:
    from neuron_migrate.rehearse.recording import Outcome


@dataclass(frozen=True)
class Order:
    """What to run, where to write what it did, and whether to leave the device out."""

    directory: Path
    cores: int | None
    on_cpu: bool
    script: Script


def parse(arguments: list[str]) -> Order:
    """The directory of recordings, the number of cores, and the program with its arguments."""
    rest = list(arguments)
    options: dict[str, str] = {}
    while rest and rest[0] in ("--recording", "--cores"):
        options[rest[0]] = rest[1]
        rest = rest[2:]
    cores = int(options["--cores"]) if "--cores" in options else None
    on_cpu = rest[:1] == ["--on-cpu"]
    rest = rest[on_cpu:]
    as_module = rest[:1] == ["-m"]
    rest = rest[as_module:]
    directory = Path(options["--recording"]).resolve()
    return Order(directory, cores, on_cpu, Script(rest[0], tuple(rest[1:]), as_module))


def main(arguments: list[str] | None = None) -> int:
    """Run the script as its own process would, and write what it did; its exit code."""
    order = parse(sys.argv[1:] if arguments is None else arguments)
    plugin.announce(order.directory, order.cores, on_cpu=order.on_cpu)
    run = _hosted if order.on_cpu else _rehearsed
    return run(order).exit_code


def _rehearsed(order: Order) -> Outcome:
    from neuron_migrate.rehearse.session import Session

    session = Session(order.directory, order.cores, order.script.command)
    plugin.announce_to_spawned(order.directory)
    seeding.seed()
    outcome = order.script.run(session.lines)
    session.finish(outcome)
    return outcome


def _hosted(order: Order) -> Outcome:
    from neuron_migrate.rehearse import hosted
    from neuron_migrate.rehearse.state import state

    hosted.install(order.cores)
    plugin.announce_to_spawned(order.directory)
    seeding.seed()
    return order.script.run(state.recorder.lines)


if __name__ == "__main__":
    sys.exit(main())
