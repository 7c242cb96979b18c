"""What a run goes by and how it is counted: --show-settings, --statistics, per-file-ignores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Runner

SAFE = 'x.to("cuda")\n'
UNSAFE = "x.half()\n"
MANUAL = "load_in_4bit = True\n"


@pytest.mark.parametrize("command", ["check", "fix"])
def test_each_setting_has_an_origin(cli: Runner, project: Path, command: str) -> None:
    file = project / "neuron-migrate.toml"
    file.write_text('extend = "base.toml"\njobs = 3\nper-file-ignores = {"t/*" = ["NM1"]}\n')
    (project / "base.toml").write_text('ignore = ["NM2"]\njobs = 1\n')
    run = cli(command, "--show-settings", "--fail-on", "info")
    assert (run.status, run.err) == (0, "")
    lines = run.text.splitlines()
    assert f'root = "{project}" ({file})' in lines
    assert f'ignore = ["NM2"] ({project}/base.toml)' in lines
    assert f"jobs = 3 ({file})" in lines
    assert f'per-file-ignores = {{"t/*": ["NM1"]}} ({file})' in lines
    assert 'fail-on = "info" (command line)' in lines
    assert 'target = "neuron" (default)' in lines


def test_the_configuration_says_how_a_run_is_told(cli: Runner, project: Path) -> None:
    (project / "neuron-migrate.toml").write_text('output-format = "concise"\n')
    (project / "a.py").write_text(SAFE)
    assert cli("check", "-q").text.startswith("a.py:1:6: NM101 [*] ")
    assert json.loads(cli("check", "--output-format", "json").out)["findings"]


def test_the_configuration_permits_unsafe_fixes(cli: Runner, project: Path) -> None:
    (project / "neuron-migrate.toml").write_text("unsafe = true\n")
    (project / "a.py").write_text(UNSAFE)
    cli("fix", "--apply", "--no-unsafe")
    assert (project / "a.py").read_text() == UNSAFE
    cli("fix", "--apply")
    assert (project / "a.py").read_text() != UNSAFE


def test_settings_as_json(cli: Runner, project: Path) -> None:
    run = cli("check", "--show-settings", "--output-format", "json", "--baseline", "b.json")
    settings = json.loads(run.out)["settings"]
    assert settings["baseline"] == {"value": f"{project}/b.json", "origin": "command line"}
    assert settings["cache"] == {"value": True, "origin": "default"}


@pytest.mark.parametrize("chosen", ["text", "concise"])
def test_statistics_in_place_of_the_list(cli: Runner, project: Path, chosen: str) -> None:
    (project / "a.py").write_text(MANUAL + SAFE + UNSAFE + SAFE)
    run = cli("check", "--statistics", "-q", "--output-format", chosen)
    assert run.status == 1
    assert [line.split() for line in run.text.splitlines()] == [
        ["risk", "findings", "fix", "--apply", "--unsafe"],
        ["NM101", "rule-101", "[*]", "breaks", "2", "2", "-"],
        ["NM301", "rule-301", "breaks", "1", "-", "-"],
        ["NM601", "rule-601", "[unsafe]", "wrong", "1", "-", "1"],
        [],
    ]


def test_statistics_of_nothing(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text("x = 1\n")
    assert cli("check", "--statistics", "-q").text == ""


def test_statistics_as_json(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE + SAFE)
    document = json.loads(cli("check", "--statistics", "--output-format", "json").out)
    assert len(document["findings"]) == 2
    assert document["statistics"] == [
        {
            "code": "NM101",
            "name": "rule-101",
            "risk": "breaks",
            "findings": 2,
            "safe": 2,
            "unsafe": 0,
        }
    ]


def test_no_color_wins(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    assert b"\x1b[" not in cli("check", "--no-color", "--color", "always").out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('per-file-ignores = {"a.py" = ["NM999"]}', "per-file-ignores: no rule has the code"),
        ('per-file-ignores = {"!" = ["NM1"]}', "per-file-ignores: "),
    ],
)
def test_a_mistake_is_one_line(cli: Runner, project: Path, text: str, words: str) -> None:
    (project / "neuron-migrate.toml").write_text(text)
    run = cli("check")
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert words in run.err
