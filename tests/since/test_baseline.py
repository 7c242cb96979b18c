"""What a baseline recognises after the code has moved, and what it does not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
import pytest

from neuron_migrate.errors import UsageError
from neuron_migrate.selection import Selection
from neuron_migrate.since.baseline import Baseline, Compared
from tests.cases import analyzer
from tests.report import factory as make

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.finding import FileResult

CODE = """\
import torch
x = torch.ones(2).cuda()
x = torch.ones(2).cuda()
y = [a.cuda(), b.cuda()]
"""


def result(text: str, path: str = "a.py") -> FileResult:
    return make.result(*analyzer("neuron").analyse(text, path), path=path)


def compared(root: Path, before: str, after: str, path: str = "a.py") -> Compared:
    known = Baseline.of([result(before, path)], root / "b.json", root)
    (root / "b.json").write_bytes(known.document())
    (root / path).write_text(after)
    read = Baseline.read(root / "b.json", root)
    return read.compare([result(after, path)], Selection())


def notebook(*cells: str) -> str:
    made = [
        {"cell_type": "code", "source": cell.splitlines(keepends=True), "metadata": {}}
        for cell in cells
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made}, indent=1)


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(CODE, id="the same"),
        pytest.param("import os\n\n\n" + CODE, id="lines above"),
        pytest.param(CODE.replace("\n", "\r\n"), id="line ends"),
        pytest.param(
            CODE.replace("\nx", "\nif a:\n    x").replace("\nif", "\n\n\nif"), id="indent"
        ),
        pytest.param("".join(f"{line}  \n" for line in CODE.splitlines()), id="trailing blanks"),
    ],
)
def test_findings_that_moved_are_known(tmp_path: Path, after: str) -> None:
    found = compared(tmp_path, CODE, after)
    assert (found.results[0].findings, found.known, found.gone) == ((), 4, 0)


@pytest.mark.parametrize(
    ("after", "lines", "gone"),
    [
        pytest.param(CODE + "x = torch.ones(2).cuda()\n", [5], 0, id="the same line once more"),
        pytest.param(CODE + "z.cuda()\n", [5], 0, id="another line"),
        pytest.param(CODE.replace("ones", "zeros", 1), [2], 1, id="a changed line"),
        pytest.param(CODE.replace("b.cuda()", "b"), [4], 2, id="one of two on a line"),
        pytest.param("", [], 4, id="all gone"),
    ],
)
def test_what_changed_is_new(tmp_path: Path, after: str, lines: list[int], gone: int) -> None:
    found = compared(tmp_path, CODE, after)
    assert ([each.line for each in found.results[0].findings], found.gone) == (lines, gone)


def test_a_notebook_by_the_source_of_its_cells(tmp_path: Path) -> None:
    before = notebook("import torch\n", "x.cuda()\n")
    after = notebook("import torch\n", "print(1)\n", "y = 1\nx.cuda()\nz.cuda()")
    found = compared(tmp_path, before, after, "a.ipynb")
    assert [(each.cell, each.line) for each in found.results[0].findings] == [(3, 3)]
    assert (found.known, found.gone) == (1, 0)


def test_a_text_that_is_not_python(tmp_path: Path) -> None:
    before = "export CUDA_VISIBLE_DEVICES=0\n"
    after = "#!/bin/sh\nif true; then\n  export CUDA_VISIBLE_DEVICES=0\nfi\n"
    found = compared(tmp_path, before, after, "a.sh")
    assert found.known
    assert (found.results[0].findings, found.gone) == ((), 0)


def test_the_file_is_stable_and_relative_to_itself(tmp_path: Path) -> None:
    results = [make.result(make.finding(path=path), path=path) for path in ("src/b.py", "a.py")]
    made = Baseline.of(results, tmp_path / "ci/b.json", tmp_path)
    text = made.document().decode()
    assert text == Baseline.of(results[::-1], tmp_path / "ci/b.json", tmp_path).document().decode()
    assert text == (
        '{\n  "schema": 1,\n  "findings": [\n'
        '    {"path": "../a.py", "code": "NM101", "fingerprint": "", "occurrence": 1},\n'
        '    {"path": "../src/b.py", "code": "NM101", "fingerprint": "", "occurrence": 1}\n'
        "  ]\n}\n"
    )


def test_advice_is_known_and_what_was_not_analysed_never_is(tmp_path: Path) -> None:
    results = [make.result(make.advice(), make.failure(line=9))]
    made = Baseline.of(results, tmp_path / "b.json", tmp_path)
    left = made.compare(results, Selection()).results[0].findings
    assert (len(made), [each.code for each in left]) == (1, ["NM000"])


def test_only_what_was_looked_for_is_gone(tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).touch()
    every = [make.result(make.finding(path=p), path=p) for p in ("a.py", "b.py", "deleted.py")]
    made = Baseline.of(every, tmp_path / "b.json", tmp_path)
    clean = make.result(path="a.py")
    assert made.compare([clean], Selection()).gone == 2
    assert made.compare([clean], Selection(select=("NM2",))).gone == 0
    assert made.compare([msgspec.structs.replace(clean, failed=True)], Selection()).gone == 1
    assert made.compare([clean], Selection(per_file=(("a.py", ("NM1",)),))).gone == 1


def test_any_path_survives(tmp_path: Path) -> None:
    results = [make.result(make.finding(path="\udcff.py"), path="\udcff.py")]
    made = Baseline.of(results, tmp_path / "b.json", tmp_path)
    (tmp_path / "b.json").write_bytes(made.document())
    assert Baseline.read(tmp_path / "b.json", tmp_path).compare(results, Selection()).known == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"schema": 2, "findings": []}',
        b'{"schema": 1}',
        b'{"schema": 1, "findings": [{"path": "a.py"}]}',
        b'{"schema": 1, "findings": [1]}',
        b'{"schema": 1, "findings": [], "more": 1}',
        b'{"schema": 1, "findings": [{"path": "", "code": "", "fingerprint": 1, "occurrence": 1}]}',
    ],
)
def test_what_is_no_baseline_is_one_mistake(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "b.json").write_bytes(content)
    with pytest.raises(UsageError) as caught:
        Baseline.read(tmp_path / "b.json", tmp_path)
    assert str(caught.value).startswith(f"baseline {tmp_path / 'b.json'}: not a baseline of schema")
    assert "\n" not in str(caught.value)
