"""The HTML report from the command line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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
    assert "load_in_4bit" in run.text
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


@pytest.mark.parametrize(("options", "code"), [([], "cuda"), (["--apply"], "neuron")])
def test_standard_input(
    cli: Runner, monkeypatch: pytest.MonkeyPatch, options: list[str], code: str
) -> None:
    text = f"{SAFE}y = load_in_4bit\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    run = cli("fix", "-", *options, "--output-format", "html")
    assert "<!DOCTYPE html>" in run.err
    assert f'x = \\"{code}\\"' in run.err


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
