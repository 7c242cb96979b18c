"""The HTML report from the command line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.api import rewriting
from neuron_migrate.apply.write import ApplyError
from neuron_migrate.cli import texts
from neuron_migrate.files.source import SourceError
from tests.report.html import pages

if TYPE_CHECKING:
    from tests.cli.conftest import Runner

SAFE = 'x = "cuda"\n'


@pytest.mark.parametrize("command", [("check",), ("fix",), ("fix", "--apply")])
def test_the_page_is_all_there_is(cli: Runner, project: Path, command: tuple[str, ...]) -> None:
    (project / "a.py").write_text(f'{SAFE}y = "load_in_4bit"\n')
    run = cli(*command, "--output-format", "html", "--color", "always")
    assert run.status == 1
    assert run.text.startswith("<!DOCTYPE html>")
    assert run.text.endswith("</html>\n")
    pages.parsed(run.text)
    assert ('y = "load_in_4bit"',) * 2 in pages.rows(run.text)
    assert ("Fixed 1 finding in 1 file." in run.text) is ("--apply" in command)


def test_into_a_file(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    run = cli("check", "--output-format", "html", "--output", "report.html")
    assert (run.status, run.out) == (1, b"")
    pages.parsed((project / "report.html").read_text(encoding="utf-8"))


def test_odd_names(cli: Runner, project: Path) -> None:
    (project / os.fsdecode(b"\xff<b>.py")).write_text(SAFE)
    run = cli("check", "--output-format", "html")
    assert run.status == 1
    assert b"\\udcff&lt;b&gt;.py" in run.out


@pytest.mark.parametrize("options", [[], ["--apply"]])
def test_standard_input(cli: Runner, monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    text = f"{SAFE}y = load_in_4bit\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    run = cli("fix", "-", *options, "--output-format", "html")
    assert pages.rows(run.err) == [
        ('x = "cuda"', 'x = "neuron"'),
        {"left": [0]},
        ("y = load_in_4bit",) * 2,
        {"right" if options else "left": [1]},
    ]
    assert "undo" not in run.err, "no file was written"


def test_a_preview_shows_what_would_be_written(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(f"new = 1\n{SAFE}y.half()\n")
    run = cli("fix", "--output-format", "html")
    changed = ('x = "cuda"', 'x = "neuron"')
    assert changed in pages.rows(run.text)
    assert ("y.half()", "y.half()") in pages.rows(run.text)
    run = cli("fix", "--unsafe", "--output-format", "html")
    assert {changed, ("y.half()", "y.bfloat16()")} <= {*_code(run.text)}


def test_after_an_apply_the_page_shows_what_was_written_and_what_is_left(
    cli: Runner, project: Path
) -> None:
    (project / "a.py").write_text(f"{SAFE}y = load_in_4bit\n")
    (project / "b.py").write_text("y = load_in_4bit\n")
    run = cli("fix", "--apply", "--output-format", "html")
    assert pages.rows(run.text) == [
        ('x = "cuda"', 'x = "neuron"'),
        {"left": [0]},
        ("y = load_in_4bit",) * 2,
        {"right": [1]},
        ("y = load_in_4bit",) * 2,
        {"right": [2]},
    ]
    finding = pages.parsed(run.text).find(".//details[@id='f0']")
    assert (finding.get("data-kind"), finding.get("data-resolved")) == ("fixed", "")
    assert "Only what is left" in run.text


def test_a_file_that_cannot_be_written_shows_no_change(
    cli: Runner, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, *_: object) -> None:
        raise ApplyError(path, "it is read-only")

    monkeypatch.setattr(rewriting, "replace", refuse)
    (project / "a.py").write_text(SAFE)
    run = cli("fix", "--apply", "--output-format", "html")
    assert run.status == 2
    assert _code(run.text) == [('x = "cuda"', 'x = "cuda"')]


def test_a_file_that_is_gone_has_findings_without_code(
    cli: Runner, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "a.py").write_text(SAFE)

    def gone(_: object) -> bytes:
        raise SourceError("it is gone")

    monkeypatch.setattr(texts.source, "read", gone)
    run = cli("check", "--output-format", "html")
    assert pages.data(run.text)["files"] == [None]
    assert "NM101 is here." in run.text


def _code(text: str) -> list[tuple[str, str]]:
    return [row for row in pages.rows(text) if isinstance(row, tuple)]


def test_only_this_format_needs_the_template_engine(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SAFE)
    script = (
        "import sys; from neuron_migrate.cli import app;"
        "app.run(['check', '--no-cache', '--output-format', sys.argv[1]]);"
        "print('jinja2' in sys.modules, file=sys.stderr)"
    )
    for chosen, needed in (("text", "False"), ("json", "False"), ("html", "True")):
        done = subprocess.run(
            [sys.executable, "-c", script, chosen],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            text=True,
            check=True,
            capture_output=True,
        )
        assert done.stderr.split()[-1] == needed
