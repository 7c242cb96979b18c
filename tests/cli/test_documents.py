"""The formats for other programs, on the engine and the catalog that ship."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest

from neuron_migrate.cli import app, session
from tests.report import schemas

pytest.importorskip("neuron_migrate.engine.run")

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Capture = pytest.CaptureFixture[bytes]
    Run = Callable[..., str]

FORMATS = ("sarif", "github", "gitlab", "markdown", "json")
CUDA = 'import torch\n\nx = torch.ones(1, device="cuda")\n'
CELLS = [
    ["# Title\n", "prose"],
    ["import torch\n", "\n", 'x = "\U0001f600", torch.ones(1).to("cuda")'],
    ['y = x[1].to("cuda")\n', "torch.cuda.synchronize()\n"],
]
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown" if number == 0 else "code", "metadata": {}, "source": lines}
        for number, lines in enumerate(CELLS)
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}
FILES = {
    "plain.py": CUDA.encode(),
    "crlf.py": CUDA.replace("\n", "\r\n").encode(),
    "bom.py": b"\xef\xbb\xbf" + CUDA.encode(),
    "wide 1.py": 'import torch\nx = "\U0001f600", torch.ones(1).to("cuda")'.encode(),
    "latin.py": b'# coding: latin-1\nimport torch\n# \xe9\nx = "\xe9", torch.ones(1).to("cuda")\n',
    "list.ipynb": json.dumps(NOTEBOOK, indent=1).encode(),
    "one-string.ipynb": json.dumps(
        {
            **NOTEBOOK,
            "cells": [{**each, "source": "".join(each["source"])} for each in NOTEBOOK["cells"]],
        }
    ).encode(),
    "run.sh": b"export CUDA_VISIBLE_DEVICES=0\npython train.py\n",
    "broken.py": b"import torch\ntorch.cuda.(\n",
}


@pytest.fixture
def tree(project: Path) -> Path:
    for name, content in FILES.items():
        (project / name).write_bytes(content)
    return project


@pytest.fixture
def run(capfdbinary: Capture) -> Run:
    def called(*arguments: str) -> str:
        app.run([*arguments, "--no-cache"])
        return capfdbinary.readouterr().out.decode()

    return called


def _results(document: str) -> list[Any]:
    return list(json.loads(document)["runs"][0]["results"])


def _place(result: Any) -> tuple[str, Any]:
    place = result["locations"][0]["physicalLocation"]
    return unquote(place["artifactLocation"]["uri"]), place["region"]


def _offset(text: str, line: int, column: int) -> int:
    ends = [match.end() for match in re.finditer("\r\n|\n|\r", text)]
    return [0, *ends][line - 1] + column - 1


def _span(text: str, region: Any) -> tuple[int, int]:
    start = _offset(text, region["startLine"], region["startColumn"])
    return start, _offset(text, region["endLine"], region["endColumn"])


def _encoding(name: str) -> str:
    return {"latin.py": "latin-1", "bom.py": "utf-8-sig"}.get(name, "utf-8")


def _fixed(text: str, fixes: list[Any]) -> str:
    edits = {
        (*_span(text, each["deletedRegion"]), each["insertedContent"]["text"])
        for fix in fixes
        if fix["properties"]["safety"] == "safe"
        for change in fix["artifactChanges"]
        for each in change["replacements"]
    }
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def test_the_fixes_of_sarif_are_what_apply_writes(tree: Path, run: Run) -> None:
    results = _results(run("check", "--output-format", "sarif"))
    expected = {}
    for name, content in FILES.items():
        text = content.decode(_encoding(name))
        mine = [result for result in results if _place(result)[0] == name]
        fixes = [fix for result in mine for fix in result.get("fixes", ())]
        expected[name] = _fixed(text, fixes).encode(_encoding(name))
    assert sum(expected[name] != FILES[name] for name in FILES) >= 7
    run("fix", "--apply")
    assert {name: (tree / name).read_bytes() for name in FILES} == expected


def test_a_region_holds_what_was_found(tree: Path, run: Run) -> None:
    for result in _results(run("check", "--output-format", "sarif", "--select", "NM101")):
        name, region = _place(result)
        if name == "broken.py":
            continue
        text = FILES[name].decode(_encoding(name))
        start, end = _span(text, region)
        assert text[start:end] in ('"cuda"', '\\"cuda\\"'), name


def test_the_places_in_a_notebook_are_lines_of_its_json(tree: Path, run: Run) -> None:
    out = run("check", "list.ipynb", "--output-format", "github", "--select", "NM101")
    lines = FILES["list.ipynb"].decode().split("\n")
    numbers = [int(number) for number in re.findall(r",line=(\d+),", out)]
    assert len(numbers) == 2
    assert all('to(\\"cuda\\")' in lines[number - 1] for number in numbers)
    [one, other] = json.loads(
        run("check", "list.ipynb", "--output-format", "gitlab", "--select", "NM101")
    )
    assert [each["location"]["lines"]["begin"] for each in (one, other)] == numbers


def test_real_output_is_valid(tree: Path, run: Run) -> None:
    for command in ("check", "fix"):
        arguments = (command, "--show-advice", "--output-format")
        log = json.loads(run(*arguments, "sarif"))
        assert schemas.problems(json.loads(run(*arguments, "json")), schemas.findings()) == []
        assert schemas.problems(log, schemas.sarif()) == []


def test_fingerprints_outlive_moved_lines(tree: Path, run: Run) -> None:
    def names() -> set[str]:
        issues = json.loads(run("check", "plain.py", "--output-format", "gitlab"))
        results = _results(run("check", "plain.py", "--output-format", "sarif"))
        found = {issue["fingerprint"] for issue in issues}
        assert found == {value for r in results for value in r["partialFingerprints"].values()}
        return found

    before = names()
    (tree / "plain.py").write_text("import os\n\n\n" + CUDA)
    assert names() == before
    (tree / "plain.py").write_text(CUDA.replace("x =", "y ="))
    assert not names() & before


@pytest.mark.parametrize("chosen", FORMATS)
def test_a_document_is_all_there_is(tree: Path, run: Run, chosen: str) -> None:
    checked = run("check", "--output-format", chosen)
    assert run("fix", "--output-format", chosen) == checked
    assert run("check", "--output-format", chosen, "--output", "report") == ""
    assert (tree / "report").read_bytes() == checked.encode()
    assert "\x1b" not in run("check", "--output-format", chosen, "--color", "always")


@pytest.mark.parametrize("chosen", FORMATS)
def test_after_an_applied_fix_it_tells_what_is_left(tree: Path, run: Run, chosen: str) -> None:
    applied = run("fix", "--apply", "--output-format", chosen)
    left = run("check", "--output-format", chosen)
    told = re.sub(
        r"Fixed \d+ findings in \d+ files\. neuron-migrate undo takes it back\. ", "", applied
    )
    assert told == left
    assert (told != applied) is (chosen == "markdown")


def test_standard_input(
    project: Path, capfdbinary: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    text = CUDA + "torch.backends.cudnn.benchmark = True\n"
    for command, codes in ((["check"], {"NM101", "NM122"}), (["fix", "--apply"], {"NM122"})):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        app.run([*command, "-", "--output-format", "sarif"])
        captured = capfdbinary.readouterr()
        document = (captured.err if "fix" in command else captured.out).decode()
        results = _results(document)
        assert {result["ruleId"] for result in results} == codes
        [fixes] = [result.get("fixes") for result in results if result["ruleId"] == "NM122"]
        assert fixes is None


def test_a_file_that_is_gone_keeps_its_findings(
    tree: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    from neuron_migrate.files.source import SourceError

    def gone(path: Path) -> bytes:
        raise SourceError("cannot read: it is gone")

    monkeypatch.setattr(session.source, "read", gone)
    results = _results(run("check", "plain.py", "list.ipynb", "--output-format", "sarif"))
    assert not any("fixes" in result for result in results)
    assert {(_place(r)[0], _place(r)[1]["startLine"]) for r in results} >= {
        ("plain.py", 3),
        ("list.ipynb", 1),
    }
