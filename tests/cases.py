"""The fixtures of the rule families: a folder per case, read and run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from neuron_migrate.catalog import loader
from neuron_migrate.engine.analysis import AnalysisError, Analyzer
from neuron_migrate.engine.findings import unreadable
from neuron_migrate.engine.fixpoint import Fixed, fix
from neuron_migrate.engine.kinds import AnyKind
from neuron_migrate.files import source
from neuron_migrate.report.listing import place

if TYPE_CHECKING:
    from neuron_migrate.catalog.loader import Catalog
    from neuron_migrate.files.source import Source
    from neuron_migrate.finding import Finding, Target

FIXTURES = Path(__file__).parent / "fixtures"
TARGETS: tuple[Target, ...] = ("neuron", "accelerator")


@dataclass(frozen=True, slots=True)
class Case:
    """``before.py``, and what is expected of it; a missing file says that nothing is.

    What is not Python stands in ``before.<its name>``: ``before.Dockerfile``, ``before.a.ipynb``.
    """

    folder: Path

    def __str__(self) -> str:
        return f"{self.folder.parent.name}/{self.folder.name}"

    @property
    def name(self) -> str:
        """What follows ``before.`` and the target in the names of the files."""
        [file] = self.folder.glob("before.*")
        return file.name.removeprefix("before.")

    @property
    def path(self) -> str:
        """The name the file is analysed under, which decides its kind."""
        return "before.py" if self.name == "py" else self.name

    @property
    def before(self) -> bytes:
        """The file as its author wrote it."""
        return (self.folder / f"before.{self.name}").read_bytes()

    def expected(self, target: Target) -> Path:
        """The file that holds what ``fix`` makes of it."""
        return self.folder / f"{target}.{self.name}"

    def after(self, target: Target) -> bytes:
        """The file after ``fix``; what it was before when there is no file for the target."""
        expected = self.expected(target)
        return expected.read_bytes() if expected.exists() else self.before

    @property
    def findings(self) -> str:
        """The golden list of findings."""
        expected = self.folder / "findings.txt"
        return expected.read_text(encoding="utf-8") if expected.exists() else ""


@dataclass(frozen=True, slots=True)
class Pass:
    """A text that ``fix`` analysed, and what it found in it."""

    text: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One ``fix`` of one text, with every text on the way."""

    before: Source
    path: str
    target: Target
    unsafe: bool
    fixed: Fixed
    passes: tuple[Pass, ...]

    @property
    def first(self) -> tuple[Finding, ...]:
        """What was found in the file as it was."""
        return self.fixed.first

    @property
    def after(self) -> bytes:
        """The bytes that ``fix`` would write."""
        return self.before.encode(self.fixed.text)


class _Recorder:
    """Stands in for an analyzer, and remembers what went through it."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.passes: list[Pass] = []

    def analyse(self, text: str, path: str) -> list[Finding]:
        findings = analysed(text, self.target, path)
        self.passes.append(Pass(text, findings))
        return list(findings)

    def check(self, before: str, after: str, path: str) -> None:
        analyzer(self.target).check(before, after, path)


def discover(under: str = "") -> list[Case]:
    """The cases, or those of one ``family`` or ``family/case``."""
    return [Case(file.parent) for file in sorted((FIXTURES / under).glob("**/before.*"))]


@cache
def catalog() -> Catalog:
    """The built-in rules."""
    return loader.load()


@cache
def analyzer(target: Target) -> AnyKind:
    """The whole catalog, ready for a target."""
    return AnyKind(catalog(), target=target)


@cache
def thorough(target: Target) -> Analyzer:
    """The same for Python, looking at every statement."""
    return Analyzer(catalog(), target=target, everything=True)


@cache
def analysed(
    text: str, target: Target, path: str = "before.py", *, everything: bool = False
) -> tuple[Finding, ...]:
    """The findings of a text."""
    chosen = thorough(target) if everything else analyzer(target)
    return tuple(chosen.analyse(text, path))


@cache
def run(before: bytes, target: Target, *, unsafe: bool = False, path: str = "before.py") -> Run:
    """``fix`` in memory. A text that cannot be analysed stays as it is, with an NM000."""
    decoded = source.decode(before)
    recorder = _Recorder(target)
    try:
        fixed = fix(recorder, decoded.text, path, unsafe=unsafe)
    except AnalysisError as error:
        found = (unreadable(catalog(), path, error.reason, error.line, error.column),)
        fixed = Fixed(decoded.text, found, found, 0)
    return Run(decoded, path, target, unsafe, fixed, tuple(recorder.passes))


def listed(findings: tuple[Finding, ...]) -> str:
    """Findings as ``findings.txt`` holds them: ``line:column CODE risk fix``."""
    return "".join(
        f"{place(each)} {each.code} {each.risk.value} {each.fix or '-'}\n" for each in findings
    )
