"""The ``neuron-migrate`` command: its commands, and how a run ends."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING, Annotated

import typer

from neuron_migrate import __version__
from neuron_migrate.cli.check import check
from neuron_migrate.cli.doctor import doctor
from neuron_migrate.cli.explain import explain
from neuron_migrate.cli.fix import fix
from neuron_migrate.cli.output import say, show
from neuron_migrate.cli.rehearse import rehearse
from neuron_migrate.cli.report import report
from neuron_migrate.cli.rules import rules
from neuron_migrate.cli.server import server
from neuron_migrate.cli.status import ERROR, INTERRUPTED
from neuron_migrate.cli.undo import undo
from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

# rich is slow to import, and plain help does without.
app = typer.Typer(
    name="neuron-migrate",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        show(f"neuron-migrate {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def neuron_migrate(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Migrate PyTorch and Hugging Face code from CUDA to AWS Trainium."""
    if context.invoked_subcommand is None:
        show(context.get_help() + "\n")
        raise typer.Exit(ERROR)


for command in (check, fix, undo, explain, rules, doctor, server):
    app.command()(command)
# What follows the script is the script's, options included.
app.command(context_settings={"allow_interspersed_args": False})(rehearse)
app.add_typer(report)


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit status. A mistake is one line on standard error."""
    try:
        return app(list(arguments), prog_name="neuron-migrate", standalone_mode=False) or 0
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except (UsageError, OSError) as error:
        say(f"error: {error}")
    except Exception as error:
        say(f"error: {_meaning(error)}")
    return ERROR


def _meaning(error: Exception) -> str:
    """What a mistake on the command line is, in typer's words; anything else is ours."""
    in_words = getattr(error, "format_message", None)  # typer does not export the class
    if in_words is not None:
        return str(in_words())
    traceback.print_exc()
    return f"internal error: {error!r}; please report it with the lines above"


def main() -> None:
    """The entry point."""
    sys.exit(run(sys.argv[1:]))
