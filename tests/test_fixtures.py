"""Every fixture, for both targets: the expected bytes, the golden findings and the oracles.

``python -m tests.regenerate`` writes the expected files anew. With NEURON_MIGRATE_CORPUS set to a
folder of real code, its files go through the oracles too, which takes minutes.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.engine.triggers import Triggers
from neuron_migrate.files.source import SourceError
from neuron_migrate.report.diff import unified
from tests.cases import TARGETS, Case, analysed, catalog, discover, listed, run
from tests.oracles import faults

if TYPE_CHECKING:
    from neuron_migrate.finding import Target

CASES = discover()
MODES = [(target, unsafe) for target in TARGETS for unsafe in (False, True)]
CORPUS = os.environ.get("NEURON_MIGRATE_CORPUS")

every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_target = pytest.mark.parametrize("target", TARGETS)
every_mode = pytest.mark.parametrize(
    ("target", "unsafe"), MODES, ids=[f"{t}-{'unsafe' if u else 'safe'}" for t, u in MODES]
)


@every_target
@every_case
def test_text(case: Case, target: Target) -> None:
    after = run(case.before, target, path=case.path).after
    assert after == case.after(target), _differs(case.after(target), after)


@every_case
def test_findings(case: Case) -> None:
    assert listed(run(case.before, "neuron", path=case.path).first) == case.findings


@every_mode
@every_case
def test_oracles(case: Case, target: Target, unsafe: bool) -> None:
    assert not faults(run(case.before, target, unsafe=unsafe, path=case.path))


@every_target
def test_git_applies_every_diff_and_its_reverse(tmp_path: Path, target: Target) -> None:
    states = {
        f"{case}/{case.path}": (case.before, run(case.before, target, path=case.path).after)
        for case in CASES
    }
    diffs = [unified(name, before, after) for name, (before, after) in states.items()]
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for name, (before, _) in states.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(before)
    for options, place in ((), 1), (("--reverse",), 0):
        _git_apply(tmp_path, b"".join(diffs), *options)
        for name, state in states.items():
            assert (tmp_path / name).read_bytes() == state[place], name


def test_expected_files_are_known_ones() -> None:
    for case in CASES:
        starts = ("before", *TARGETS)
        known = {"findings.txt", *(f"{start}.{case.name}" for start in starts)}
        assert {file.name for file in case.folder.iterdir() if file.is_file()} <= known, case


@pytest.mark.skipif(CORPUS is None, reason="NEURON_MIGRATE_CORPUS names no folder of real code")
@every_target
def test_oracles_on_real_code(target: Target) -> None:
    broken: list[str] = []
    for file in sorted(Path(CORPUS or ".").rglob("*.py")):
        broken += [f"{file}: {fault}" for fault in _faults_of(file, target)]
    assert not broken, "\n".join(broken)


def _faults_of(file: Path, target: Target) -> list[str]:
    content = file.read_bytes() if file.is_file() else b""
    if len(content) > 400_000 or not Triggers(catalog().gates).occur(content):
        return []
    run.cache_clear()
    analysed.cache_clear()
    try:
        return faults(run(content, target))
    except SourceError:
        return []
    except Exception as error:
        return [f"{type(error).__name__}: {error}"]


def _git_apply(folder: Path, diff: bytes, *options: str) -> None:
    if diff:
        command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", *options]
        done = subprocess.run(command, cwd=folder, input=diff, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()


def _differs(expected: bytes, found: bytes) -> str:
    return unified("expected and found", expected, found).decode("utf-8", "backslashreplace")
