"""Every notebook of the fixtures after a fix, and, as for Python, of a folder of real code."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.engine.notebooks.cells import sources
from neuron_migrate.files.kinds import Kind, kind_of
from neuron_migrate.files.source import SourceError
from neuron_migrate.report.diff import by_cell
from tests.cases import TARGETS, Case, analysed, discover, run
from tests.notebooks import faults_between
from tests.oracles import faults

if TYPE_CHECKING:
    from neuron_migrate.finding import Target

CASES = [case for case in discover() if kind_of(case.path) is Kind.NOTEBOOK]
CORPUS = os.environ.get("NEURON_MIGRATE_CORPUS")
LARGEST = 2_000_000

every_target = pytest.mark.parametrize("target", TARGETS)


@pytest.mark.parametrize("unsafe", [False, True], ids=["safe", "unsafe"])
@every_target
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_document_is_the_same(case: Case, target: Target, unsafe: bool) -> None:
    done = run(case.before, target, unsafe=unsafe, path=case.path)
    if done.passes:
        assert not [*faults_between(done.before.text, done.fixed.text)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_diff_by_cell_shows_every_change(case: Case) -> None:
    done = run(case.before, "neuron", path=case.path)
    if not done.passes:
        return
    before, after = sources(done.before.text), sources(done.fixed.text)
    shown = by_cell(case.path, before, after).decode()
    for number, code in before.items():
        assert (f"{case.path}, cell {number}\n" in shown) == (code != after[number])


@pytest.mark.skipif(CORPUS is None, reason="NEURON_MIGRATE_CORPUS names no folder of real code")
@every_target
def test_real_notebooks(target: Target) -> None:
    broken: list[str] = []
    for file in sorted(Path(CORPUS or ".").rglob("*.ipynb")):
        broken += [f"{file}: {fault}" for fault in _faults_of(file, target)]
    assert not broken, "\n".join(broken)


def _faults_of(file: Path, target: Target) -> list[str]:
    content = file.read_bytes() if file.is_file() else b""
    if len(content) > LARGEST:
        return []
    run.cache_clear()
    analysed.cache_clear()
    try:
        done = run(content, target, path=file.name)
    except SourceError:
        return []
    if not done.passes:
        return []
    return [*faults(done), *faults_between(done.before.text, done.fixed.text)]
