from __future__ import annotations

import io
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Runner

SAFE = 'x.to("cuda")\n'
UNSAFE = "x.half()\n"
MANUAL = "load_in_4bit = True\n"
BLOCKED = "CUDAExtension()\n"
NOTE = "cudnn\n"
ADVICE = "unpadded\n"
BROKEN = "syntax error\n"


@pytest.mark.parametrize(
    ("text", "options", "status"),
    [
        pytest.param("", [], 0, id="empty"),
        pytest.param("x = 1\n", [], 0, id="clean"),
        pytest.param(SAFE, [], 1, id="found"),
        pytest.param(UNSAFE, [], 1, id="wrong is worse than cpu"),
        pytest.param(NOTE, [], 0, id="info does not fail"),
        pytest.param(NOTE, ["--fail-on", "info"], 1, id="info on request"),
        pytest.param(UNSAFE, ["--fail-on", "breaks"], 0, id="only what breaks"),
        pytest.param(ADVICE, ["--fail-on", "info", "--show-advice"], 0, id="advice never"),
        pytest.param(SAFE, ["--exit-zero"], 0, id="exit zero"),
        pytest.param(SAFE, ["--select", "NM6"], 0, id="not selected"),
        pytest.param(SAFE, ["--ignore", "NM101"], 0, id="ignored"),
        pytest.param(BROKEN, [], 1, id="not analysed"),
        pytest.param(BROKEN, ["--exit-zero"], 1, id="not analysed, exit zero or not"),
        pytest.param(BROKEN, ["--fail-on", "breaks", "--ignore", "NM1"], 1, id="not selectable"),
    ],
)
def test_exit_status(
    cli: Runner, project: Path, text: str, options: list[str], status: int
) -> None:
    (project / "a.py").write_text(text)
    assert cli("check", *options).status == status
    assert (project / "a.py").read_text() == text


def test_findings_then_the_report(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    run = cli("check")
    assert run.text.startswith(
        "a.py\n  1:6 breaks NM101 rule-101 [*] NM101 is here.\n\nVerdict: auto"
    )
    assert run.err == ""
    assert "\x1b" not in run.text


def test_quiet_gives_findings_alone(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    assert cli("check", "-q", "--output-format", "concise").text == (
        "a.py:1:6: NM101 [*] NM101 is here.\n"
    )


def test_json(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE + ADVICE)
    document = json.loads(cli("check", "--output-format", "json", "--target", "accelerator").out)
    assert (document["target"], document["sdk"]) == ("accelerator", "2.33")
    assert [finding["code"] for finding in document["findings"]] == ["NM101"]
    assert document["summary"]["verdict"] == "auto"
    assert document["summary"]["advice"] == 1


def test_advice_is_shown_on_request(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(ADVICE)
    assert "recompiles NM210" not in cli("check").text
    assert "recompiles NM210" in cli("check", "--show-advice").text


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        (["--select", "NM101,NM601"], ["NM101", "NM601"]),
        (["--select", "NM101", "--select", "nm3"], ["NM101", "NM301"]),
        (["--ignore", "NM1, NM3"], ["NM601"]),
    ],
)
def test_codes_come_with_commas_or_repeated(
    cli: Runner, project: Path, options: list[str], codes: list[str]
) -> None:
    (project / "a.py").write_text(SAFE + UNSAFE + MANUAL)
    document = json.loads(cli("check", "--output-format", "json", *options).out)
    assert [finding["code"] for finding in document["findings"]] == codes


def test_the_command_line_overrides_the_configuration(cli: Runner, project: Path) -> None:
    (project / "neuron-migrate.toml").write_text('fail-on = "breaks"\nselect = ["NM6"]\n')
    (project / "a.py").write_text(SAFE + UNSAFE)
    assert cli("check").status == 0
    assert cli("check", "--fail-on", "wrong").status == 1
    assert cli("check", "--select", "NM1").status == 1


def test_configuration_named_on_the_command_line(cli: Runner, project: Path) -> None:
    other = project / "other.toml"
    other.write_text('select = ["NM6"]\n')
    (project / "a.py").write_text(SAFE)
    assert cli("check", "--config", other).status == 0


def test_exclude(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    assert cli("check", "--exclude", "a*").status == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--select", "NM999"], "NM999"),
        (["--ignore", "X"], "ignore: no rule"),
        (["--select", ","], "--select names no code"),
        (["--fail-on", "bad"], "--fail-on"),
        (["--jobs", "-1"], "--jobs"),
        (["--jobs", "many"], "--jobs"),
        (["--target", "tpu"], "--target"),
        (["--output-format", "xml"], "--output-format"),
        (["--nonsense"], "--nonsense"),
        (["missing.py"], "missing.py"),
        (["--config", "missing.toml"], "missing.toml"),
        (["--output", "missing/report.txt"], "--output"),
        (["-", "a.py"], "standard input"),
        (["--stdin-filename", "a.py"], "--stdin-filename"),
    ],
)
def test_a_mistake_is_one_line(cli: Runner, arguments: list[str], words: str) -> None:
    run = cli("check", *arguments)
    assert run.status == 2
    assert run.out == b""
    assert run.err.count("\n") == 1
    assert run.err.startswith("neuron-migrate: error: ")
    assert words in run.err


def test_a_wrong_key_in_the_configuration_is_named(cli: Runner, project: Path) -> None:
    (project / "neuron-migrate.toml").write_text("colour = true\n")
    run = cli("check")
    assert (run.status, "colour" in run.err, run.err.count("\n")) == (2, True, 1)


def test_output_goes_into_a_file(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    (project / "report.json").write_text("old")
    run = cli("check", "--output-format", "json", "--output", "report.json", "--color", "always")
    assert (run.status, run.out) == (1, b"")
    assert json.loads((project / "report.json").read_text())["schema"] == 1
    assert sorted(path.name for path in project.iterdir()) == [
        "a.py",
        "neuron-migrate.toml",
        "report.json",
    ]


def test_what_was_not_analysed_is_named(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(BROKEN)
    (project / "b.py").write_bytes(b"\xff\n")
    (project / "gone.py").symlink_to("nowhere")
    run = cli("check")
    assert run.status == 1
    assert "Verdict: manual" in run.text
    assert "2 files read, 2 with findings, 3 not analysed." in run.text
    assert "a.py:1:1: cannot be parsed" in run.text
    assert "gone.py: a link that leads nowhere" in run.text


def test_odd_names_do_not_crash(cli: Runner, project: Path) -> None:
    for name in (b"\xff.py", "é\n.py".encode()):
        (project / os.fsdecode(name)).write_text(SAFE)
    for chosen in ("text", "concise", "json"):
        run = cli("check", "--output-format", chosen)
        assert run.status == 1
        assert b"\\udcff.py" in run.out


@pytest.mark.parametrize(
    ("choice", "colored"), [("always", True), ("never", False), ("auto", False)]
)
def test_colour(cli: Runner, project: Path, choice: str, colored: bool) -> None:
    (project / "a.py").write_text(SAFE)
    assert (b"\x1b[" in cli("check", "--color", choice).out) is colored


@pytest.mark.parametrize(("text", "status"), [(SAFE, 1), ("x\n", 0), (BROKEN, 1)])
def test_standard_input(
    cli: Runner, monkeypatch: pytest.MonkeyPatch, text: str, status: int
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    run = cli("check", "-", "--stdin-filename", "src/a.py", "--output-format", "concise", "-q")
    assert run.status == status
    assert run.text.startswith("src/a.py:1:") is bool(status)


def test_closed_standard_input_is_a_mistake(cli: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    run = cli("check", "-")
    assert (run.status, run.err) == (2, "neuron-migrate: error: standard input is closed\n")


def test_nothing_to_read_is_said(cli: Runner) -> None:
    run = cli("check")
    assert (run.status, run.err) == (
        0,
        "neuron-migrate: warning: nothing here that neuron-migrate reads\n",
    )
