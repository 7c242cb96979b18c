"""Runs the user's program in this process as Python itself would, and says how it ended."""

from __future__ import annotations

import runpy
import sys
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.rehearse import recording

if TYPE_CHECKING:
    from types import TracebackType

    from neuron_migrate.rehearse.lines import Lines


@dataclass(frozen=True)
class Script:
    """A program: a path, or with `as_module` what `python -m` takes."""

    target: str
    arguments: tuple[str, ...] = ()
    as_module: bool = False

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments, as after `python`."""
        return (*(("-m",) if self.as_module else ()), self.target, *self.arguments)

    def run(self, lines: Lines) -> recording.Outcome:
        """Run it to its end; what it raises is shown as Python shows it, and reported."""
        sys.argv = [self.target, *self.arguments]
        try:
            self._execute()
        except SystemExit as exit_:
            return _exited(exit_)
        except BaseException as error:
            shown = error.with_traceback(_of_program(error.__traceback__, lines))
            traceback.print_exception(shown)
            return raised(shown, lines)
        return recording.Outcome("finished")

    def _execute(self) -> None:
        if self.as_module:
            sys.path[0] = str(Path.cwd())
            runpy.run_module(self.target, run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = str(Path(self.target).resolve().parent)
            runpy.run_path(str(Path(self.target).absolute()), run_name="__main__")


def _exited(exit_: SystemExit) -> recording.Outcome:
    code = exit_.code
    if code is None or code == 0:
        return recording.Outcome("finished")
    if isinstance(code, int):
        return recording.Outcome("exited", code)
    print(code, file=sys.stderr)
    return recording.Outcome("exited", 1, message=str(code))


def _of_program(trace: TracebackType | None, lines: Lines) -> TracebackType | None:
    """The traceback without the simulation's frames at both ends."""
    start = trace
    while start is not None and not lines.is_own(start.tb_frame.f_code.co_filename):
        start = start.tb_next
    last = start
    while last is not None and last.tb_next is not None:
        if lines.is_simulation(last.tb_next.tb_frame.f_code.co_filename):
            last.tb_next = None
        else:
            last = last.tb_next
    return start or trace


def raised(error: BaseException, lines: Lines) -> recording.Outcome:
    """How a process ended that raised."""
    frames = tuple(
        recording.Frame(
            recording.Line(frame.filename, frame.lineno or 0, frame.name),
            frame.line or "",
            lines.is_own(frame.filename),
        )
        for frame in traceback.extract_tb(error.__traceback__)
    )
    name = type(error).__qualname__
    if type(error).__module__ != "builtins":
        name = f"{type(error).__module__}.{name}"
    return recording.Outcome("raised", 1, name, str(error), frames)
