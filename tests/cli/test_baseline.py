"""``check --write-baseline`` and ``check --baseline``."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Runner

SAFE = 'x.to("cuda")\n'
MANUAL = "load_in_4bit = True\n"
ADVICE = "unpadded\n"


@pytest.fixture
def known(cli: Runner, project: Path) -> Path:
    """A project with a baseline of one safe finding and one advice."""
    (project / "a.py").write_text(SAFE + ADVICE)
    run = cli("check", "--write-baseline", "known.json")
    assert (run.status, run.err) == (0, "")
    assert "2 findings now in the baseline known.json." in run.text
    return project


def test_what_is_known_is_not_shown_and_does_not_fail(cli: Runner, known: Path) -> None:
    run = cli("check", "--baseline", "known.json", "--show-advice", "--fail-on", "info")
    assert run.status == 0
    assert run.text.startswith("Verdict: ready: nothing new.\n")
    assert "Not shown\n  * 2 findings known from the baseline known.json.\n" in run.text


def test_an_empty_baseline_is_one(cli: Runner, project: Path) -> None:
    assert cli("check", "--write-baseline", "known.json").status == 0
    assert "0 findings known" in cli("check", "--baseline", "known.json").text


def test_what_is_new_fails(cli: Runner, known: Path) -> None:
    (known / "b.py").write_text(MANUAL)
    run = cli("check", "--baseline", "known.json", "--output-format", "concise")
    assert run.status == 1
    assert run.text.startswith("b.py:1:1: NM301 NM301 is here.\nVerdict: manual")
    assert "2 findings known" in run.text
    quiet = cli("check", "--baseline", "known.json", "--output-format", "concise", "-q")
    assert (quiet.text, quiet.err) == ("b.py:1:1: NM301 NM301 is here.\n", "")


def test_what_is_gone_is_counted(cli: Runner, known: Path) -> None:
    (known / "a.py").write_text(ADVICE)
    run = cli("check", "--baseline", "known.json")
    assert "1 entry of the baseline is gone: when nothing new is left, write it" in run.text
    document = json.loads(cli("check", "--baseline", "known.json", "--output-format", "json").out)
    assert document["baseline"] == {"file": "known.json", "known": 1, "gone": 1}
    assert (document["findings"], document["summary"]["findings"]) == ([], 0)


def test_json_has_no_baseline_without_one(cli: Runner, known: Path) -> None:
    assert "baseline" not in json.loads(cli("check", "--output-format", "json").out)


def test_the_configuration_names_it(cli: Runner, known: Path, tmp_path: Path) -> None:
    (known / "neuron-migrate.toml").write_text('baseline = "known.json"\n')
    assert cli("check").status == 0
    assert cli("check", "a.py").status == 0
    (known / "b.py").write_text(MANUAL)
    assert cli("check").status == 1
    assert cli("check", "--write-baseline", "known.json").status == 0
    assert cli("check").status == 0


def test_writing_starts_anew_over_a_broken_one(cli: Runner, known: Path) -> None:
    before = (known / "known.json").read_bytes()
    (known / "neuron-migrate.toml").write_text('baseline = "known.json"\n')
    (known / "known.json").write_text("<<<<<<< ours\n")
    assert cli("check").status == 2
    assert cli("check", "--write-baseline", "known.json").status == 0
    assert (known / "known.json").read_bytes() == before


def test_a_fix_fixes_what_is_known_too(cli: Runner, known: Path) -> None:
    (known / "neuron-migrate.toml").write_text('baseline = "known.json"\n')
    assert '+x.to("neuron")' in cli("fix").text
    assert cli("fix", "--baseline", "known.json").status == 2


def test_what_was_not_analysed_stays_a_failure(cli: Runner, known: Path) -> None:
    (known / "b.py").write_text("syntax error\n")
    assert cli("check", "--write-baseline", "known.json").status == 1
    assert cli("check", "--baseline", "known.json", "--exit-zero").status == 1


def test_standard_input_is_known_by_its_name(
    cli: Runner, known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, status in (("a.py", 0), (str(known / "a.py"), 0), ("b.py", 1)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAFE.encode())))
        run = cli("check", "-", "--stdin-filename", name, "--baseline", "known.json")
        assert run.status == status


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--baseline", "missing.json"], "cannot read: No such file or directory"),
        (["--baseline", "neuron-migrate.toml"], "not a baseline of schema 1"),
        (["--baseline", "a", "--write-baseline", "b"], "cannot be combined"),
        (["-", "--write-baseline", "b"], "cannot be combined"),
        (["--write-baseline", "missing/b.json"], "no such folder: missing"),
    ],
)
def test_a_mistake_is_one_line(cli: Runner, arguments: list[str], words: str) -> None:
    run = cli("check", *arguments)
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert words in run.err


def test_nothing_is_written_beside_it(cli: Runner, known: Path) -> None:
    names = sorted(path.name for path in known.iterdir())
    assert names == ["a.py", "known.json", "neuron-migrate.toml"]
