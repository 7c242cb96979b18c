"""The program on the device and without it, from the same beginning, and what they have apart."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from neuron_migrate.rehearsal import launch, scratch
from neuron_migrate.rehearsal.captured import Captured
from neuron_migrate.rehearsal.contrast import Contrast, contrast
from neuron_migrate.rehearsal.model import Comparison
from neuron_migrate.rehearsal.observed import Observed

if TYPE_CHECKING:
    from collections.abc import Iterator

TOLERANCE = 1e-5
_SHOWN = 20
"""Differences that are kept; the rest is counted."""


class Comparing:
    """One rehearsal that is compared; `copies` is a folder for copies of the working folder."""

    def __init__(self, run: launch.Launch, reference: str, tolerance: float, copies: Path) -> None:
        self._run = run
        self._reference = reference
        self._tolerance = tolerance
        self._copies = copies
        self._here = Path.cwd()
        scratch.copy(self._here, copies / "before")
        self._before = scratch.snapshot(self._here)
        self._captured = Captured(shown=True)

    def rehearse(self) -> int:
        """Run the program on the device; its exit status."""
        return launch.run(
            msgspec.structs.replace(self._run, captured=self._captured, folder=self._here)
        )

    def compare(self, status: int) -> Comparison:
        """Run the program without the device, and compare; `status` is that of the first run."""
        if status:
            return self._comparison("not-run", Contrast())
        found = self._found()
        expected = self._on_cpu("first")
        if expected.status:
            return self._comparison("failed", Contrast(), expected)
        made, varying = self._contrast(found, expected), 0
        if made.differing or made.unmatched:
            again = self._on_cpu("second")
            varying = made.without(self._contrast(expected, again))
        return self._comparison(_verdict(made), made, expected, varying)

    def _contrast(self, found: Observed, expected: Observed) -> Contrast:
        return contrast(found, expected, self._tolerance, self._run.python)

    def _found(self) -> Observed:
        recorded = self._run.recording
        files = [
            name
            for name in scratch.written(self._here, self._before)
            if not (self._here / name).resolve().is_relative_to(recorded)
        ]
        return _observed(0, self._captured, self._here, files)

    def _on_cpu(self, name: str) -> Observed:
        folder = self._copies / name
        shutil.copytree(self._copies / "before", folder, symlinks=True)
        before, captured = scratch.snapshot(folder), Captured(shown=False)
        run = launch.Launch(
            python=self._run.python,
            program=_program(self._run.program, self._reference, self._here),
            recording=self._copies / f"{name}-recording",
            cores=self._run.cores,
            on_cpu=True,
            folder=folder,
            captured=captured,
        )
        status = launch.run(run)
        return _observed(status, captured, folder, scratch.written(folder, before))

    def _comparison(
        self, verdict: str, made: Contrast, expected: Observed | None = None, varying: int = 0
    ) -> Comparison:
        errors = expected.stderr.strip().splitlines() if expected and expected.status else []
        return Comparison(
            program=self._reference,
            verdict=verdict,  # type: ignore[arg-type]
            tolerance=self._tolerance,
            numbers=made.numbers - varying,
            aside=made.aside,
            varying=varying,
            differing=len(made.differing),
            differences=tuple(made.differing.values())[:_SHOWN],
            unmatched=tuple(made.unmatched.values())[:_SHOWN],
            saved=tuple(made.saved),
            status=expected.status if expected else 0,
            error=errors[-1] if errors else "",
        )


@contextmanager
def beside(run: launch.Launch, reference: str, tolerance: float) -> Iterator[Comparing]:
    """A run that is to be compared with the CPU (`cpu`) or a script before its migration."""
    with tempfile.TemporaryDirectory(prefix="neuron-migrate-") as copies:
        yield Comparing(run, reference, tolerance, Path(copies).resolve())


def _verdict(made: Contrast) -> str:
    statuses = [saved.status for saved in made.saved]
    if made.differing or made.unmatched or "differs" in statuses:
        return "differs"
    return "equal" if made.numbers or "equal" in statuses else "nothing"


def _observed(status: int, captured: Captured, folder: Path, files: list[str]) -> Observed:
    return Observed(
        status=status,
        stdout=captured.text("stdout"),
        stderr=captured.text("stderr"),
        folder=folder,
        files=tuple(files),
    )


def _program(program: tuple[str, ...], reference: str, here: Path) -> tuple[str, ...]:
    """The command in a copy of the folder: paths inside it are relative, others absolute."""
    if reference == "cpu":
        if program[0] == "-m":
            return program
        return (_in_copy(program[0], here), *program[1:])
    arguments = program[2:] if program[0] == "-m" else program[1:]
    return (_in_copy(reference, here), *arguments)


def _in_copy(script: str, here: Path) -> str:
    path = Path(script).resolve()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
