"""``fix --interactive``: a person says which fixes are made."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.cli import session
from neuron_migrate.cli.conversation import Conversation, End
from neuron_migrate.cli.options import OutputFormat
from neuron_migrate.cli.output import say, wants_color
from neuron_migrate.cli.status import INTERRUPTED
from neuron_migrate.cli.terminal import Terminal
from neuron_migrate.engine.choice import Choice
from neuron_migrate.engine.work import Worker, failed
from neuron_migrate.errors import UsageError
from neuron_migrate.files import source
from neuron_migrate.report import offer

if TYPE_CHECKING:
    from neuron_migrate.cli.conversation import Talks
    from neuron_migrate.cli.options import Options
    from neuron_migrate.cli.session import Session
    from neuron_migrate.finding import FileResult, Finding

_NOTHING = "nothing was written"


class Chosen(msgspec.Struct, frozen=True):
    """A run with only what was accepted, and what was said to each fix."""

    session: Session
    accepted: list[Finding]
    declined: list[Finding]


def ask(options: Options, terminal: Talks | None = None) -> Chosen | int:
    """The fixes that a person accepts; an exit status where the person left without.

    Without a terminal, a person's mistake: UsageError.
    """
    _refuse(options, terminal)
    if terminal is None:
        color = not options.no_color and wants_color(options.color.value, sys.stdout)
        terminal = Terminal(color=color)
    try:
        found = session.run(options, fix=True)
        conversation = Conversation(terminal, found.catalog)
        chosen = _chosen(found, conversation)
    except KeyboardInterrupt:
        say(f"interrupted: {_NOTHING}")
        return INTERRUPTED
    if conversation.end is End.ABORT:
        say(_NOTHING)
        return INTERRUPTED
    terminal.show("\n" + offer.outcome(chosen.accepted, chosen.declined))
    return chosen


def _refuse(options: Options, terminal: Talks | None) -> None:
    if options.stdin:
        raise UsageError("--interactive cannot be combined with - (standard input): it has answers")
    if options.output_format is not OutputFormat.TEXT:
        name = options.output_format.value
        raise UsageError(f"--interactive cannot be combined with --output-format {name}")
    if terminal is None and not Terminal.is_there():
        raise UsageError(
            "--interactive needs a terminal; fix shows the diff, fix --apply writes it"
        )


def _chosen(found: Session, conversation: Conversation) -> Chosen:
    """The answers for every file; after the last question files stay as they are."""
    worker = Worker(found.catalog, found.settings, fix=True)
    results: list[FileResult] = []
    accepted: list[Finding] = []
    declined: list[Finding] = []
    for result in found.results:
        if result.fixed is None:
            results.append(result)
        elif conversation.end is not None:
            results.append(msgspec.structs.replace(result, fixed=None))
        else:
            conversation.begin()
            choice = Choice(
                worker.analyzer, result.path, conversation, unsafe=found.settings.unsafe
            )
            results.append(_file(found, worker, choice, result.path))
            accepted += choice.accepted if results[-1].fixed is not None else ()
            declined += choice.declined
    return Chosen(msgspec.structs.replace(found, results=results), accepted, declined)


def _file(found: Session, worker: Worker, choice: Choice, path: str) -> FileResult:
    try:
        data = source.read(found.settings.root / path)
    except source.SourceError as error:
        return failed(found.catalog, path, error.reason, error.line)
    return worker.result(data, path, choice)
