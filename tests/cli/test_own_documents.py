"""What neuron-migrate writes into a project is not read as a part of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.cli import app

if TYPE_CHECKING:
    from pathlib import Path

WRITERS = {
    "part.json": ["check", "--write-part", "OUT"],
    "baseline.json": ["check", "--write-baseline", "OUT"],
    "findings.json": ["check", "--output-format", "json", "--output", "OUT"],
    "sarif.json": ["check", "--output-format", "sarif", "--output", "OUT"],
    "quality.json": ["check", "--output-format", "gitlab", "--output", "OUT"],
    "report.md": ["check", "--output-format", "markdown", "--output", "OUT"],
}
PRINTERS = {
    "doctor.json": ["doctor", "--output-format", "json"],
    "rules.json": ["rules", "--output-format", "json"],
    "settings.json": ["check", "--show-settings", "--output-format", "json"],
}
CODE = 'import torch\n\nx = torch.ones(1, device="cuda")\n'


def scanned(capsys: pytest.CaptureFixture[str], *paths: str) -> dict[str, object]:
    capsys.readouterr()
    app.run(["check", "--no-cache", "--include-docs", "--output-format", "json", *paths])
    summary = json.loads(capsys.readouterr().out)["summary"]
    return {key: summary[key] for key in ("files_scanned", "skipped")}


@pytest.fixture(params=[CODE, "x = 1\n"], ids=["findings", "none"])
def project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "neuron-migrate.toml").touch()
    (tmp_path / "code.py").write_text(request.param)
    return tmp_path


@pytest.mark.parametrize("name", WRITERS)
def test_a_document_in_the_folder(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app.run([name if each == "OUT" else each for each in WRITERS[name]])
    assert (project / name).stat().st_size
    assert scanned(capsys) == {"files_scanned": 1, "skipped": []}


@pytest.mark.parametrize("name", PRINTERS)
def test_a_document_from_standard_output(
    project: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    app.run(PRINTERS[name])
    (project / name).write_text(capsys.readouterr().out)
    assert scanned(capsys) == {"files_scanned": 1, "skipped": []}


def test_one_that_is_named(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app.run(["check", "--write-baseline", "known.json"])
    skip = {"path": "known.json", "reason": "written by neuron-migrate", "failed": False}
    assert scanned(capsys, "known.json") == {"files_scanned": 0, "skipped": [skip]}
    assert scanned(capsys, "--force-exclude", "known.json")["skipped"] == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ds.json", '{"schema": 1, "fp16": {"enabled": true}}'),
        ("tool.json", '{"schema": 1, "tool": {"name": "another"}}'),
        ("list.json", '[{"description": "a GPU"}]'),
        ("broken.json", '{"part": '),
        ("notes.md", "### neuron-migrate in our project\n"),
    ],
)
def test_what_only_looks_alike_is_read(
    project: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / name).write_text(text)
    assert scanned(capsys)["files_scanned"] == 2


@pytest.mark.parametrize("option", ["--output", "--write-baseline", "--write-part"])
def test_code_is_not_written_over(
    project: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / "code.py").read_bytes()
    assert app.run(["check", option, "code.py"]) == 2
    assert f"{option}: code.py is there, and code" in capsys.readouterr().err
    assert (project / "code.py").read_bytes() == before


def test_a_document_is_written_again(project: Path) -> None:
    (project / "known.json").touch()
    for _ in range(2):
        assert app.run(["check", "--write-baseline", "known.json"]) == 0


def test_two_documents_in_one_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.run(["check", "--output", "a.json", "--write-part", "a.json"]) == 2
    assert "--output and --write-part are both a.json" in capsys.readouterr().err
    assert not (project / "a.json").exists()
