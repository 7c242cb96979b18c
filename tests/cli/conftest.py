"""A small engine that replaces strings, so that the command line is tested alone."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.catalog.patterns import NamesMatch
from neuron_migrate.catalog.schema import Example, Rule, Untouched
from neuron_migrate.cli import app
from neuron_migrate.files.source import SourceError, decode, read
from neuron_migrate.finding import FileResult, Finding, Risk

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.settings import Settings


class Run(msgspec.Struct, frozen=True):
    """What one command line gave."""

    status: int
    out: bytes
    err: str

    @property
    def text(self) -> str:
        return self.out.decode()


Runner = Callable[..., Run]
_WORDS: dict[str, tuple[str, dict[str, Any]]] = {
    '"cuda"': ("NM101", {"fix": "safe"}),
    "half()": ("NM601", {"fix": "unsafe", "risk": Risk.WRONG, "effort": "low"}),
    "load_in_4bit": ("NM301", {"not_fixed": "there is no such loader", "effort": "medium"}),
    "CUDAExtension": ("NM701", {"not_fixed": "it is CUDA code", "blocked": True, "effort": "high"}),
    "cudnn": ("NM110", {"risk": Risk.INFO, "confidence": "unverified"}),
    "unpadded": ("NM210", {"risk": Risk.RECOMPILES, "advice": True}),
}
_FIXES = {"safe": ('"cuda"', '"neuron"'), "unsafe": ("half()", "bfloat16()")}


def _rule(code: str, **given: Any) -> Rule:
    facts: dict[str, Any] = {
        "name": f"rule-{code[2:]}",
        "summary": f"What {code} finds.",
        "risk": Risk.BREAKS,
        "confidence": "documented",
        "effort": "low",
        "why": "One reason.\n\nAnother reason.",
        "fix_safety": "Always safe.",
        "sources": ("https://example.org/facts",),
        "sdk": "2.33",
        "triggers": ("cuda",),
        "match": NamesMatch(names=()),
        "family": loader.FAMILIES[code[2]],
        "examples": (
            Example(before='x.to("cuda")\n', neuron='x.to("neuron")\n', accelerator="x.to(acc)\n"),
            Example(before="y\n", note="Only reported."),
        ),
        "untouched": (Untouched(code='print("cuda")\n', note="Prose."),),
    }
    return Rule(code=code, **{**facts, **given})


CATALOG = loader.Catalog(_rule(code) for code, _ in _WORDS.values())


def _findings(text: str, path: str, settings: Settings) -> tuple[Finding, ...]:
    found = [
        _finding(path, number, line.index(word) + 1, code, given)
        for number, line in enumerate(text.split("\n"), 1)
        for word, (code, given) in _WORDS.items()
        if word in line
    ]
    chosen = settings.select or ("NM",)
    return tuple(
        finding
        for finding in found
        if finding.code.startswith(chosen) and not finding.code.startswith(settings.ignore)
    )


def _finding(path: str, line: int, column: int, code: str, given: dict[str, Any]) -> Finding:
    facts: dict[str, Any] = {"risk": Risk.BREAKS, "confidence": "documented", **given}
    return Finding(
        code=code,
        name=f"rule-{code[2:]}",
        family=loader.FAMILIES[code[2]],
        path=path,
        line=line,
        column=column,
        end_line=line,
        end_column=column + 1,
        message=f"{code} is here.",
        **facts,
    )


def scan_text(
    data: bytes, path: str, catalog: object, settings: Settings, *, fix: bool
) -> FileResult:
    try:
        text = decode(data).text
        if "syntax error" in text:
            raise SourceError("cannot be parsed")
    except SourceError as error:
        failure = _finding(path, error.line, 1, "NM000", {})
        failure = msgspec.structs.replace(failure, message=str(error))
        return FileResult(path=path, findings=(failure,), failed=True)
    fixed = text
    for kind, (old, new) in _FIXES.items():
        if fix and (kind == "safe" or settings.unsafe):
            fixed = fixed.replace(old, new)
    found = _findings(text, path, settings)
    if fixed == text:
        return FileResult(path=path, findings=found)
    left = _findings(fixed, path, settings)
    return FileResult(
        path=path, findings=found, fixed=fixed, left=left, applied=len(found) - len(left)
    )


def scan(
    files: Sequence[Path],
    catalog: object,
    settings: Settings,
    *,
    fix: bool,
    on_result: Callable[[FileResult], None] | None = None,
) -> list[FileResult]:
    results = []
    for file in files:
        path = file.relative_to(settings.root).as_posix()
        results.append(scan_text(read(file), path, catalog, settings, fix=fix))
        if on_result:
            on_result(results[-1])
    return results


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The fake engine in place of the real one."""
    module = types.ModuleType("neuron_migrate.engine.run")
    module.scan = scan  # type: ignore[attr-defined]
    module.scan_text = scan_text  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "neuron_migrate.engine.run", module)
    monkeypatch.setattr(loader, "load", lambda *_, **__: CATALOG)
    return module


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty project as the working folder, with no configuration above it."""
    (tmp_path / "neuron-migrate.toml").write_text("")
    monkeypatch.chdir(tmp_path)
    for variable in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(variable, raising=False)
    yield tmp_path


@pytest.fixture
def cli(
    engine: types.ModuleType, project: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> Runner:
    """Runs a command line in the project with the fake engine."""

    def run(*arguments: str | Path) -> Run:
        capfdbinary.readouterr()
        status = app.run([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Run(status, out, err.decode())

    return run
