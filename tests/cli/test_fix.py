from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.files import source
from tests.cli.test_check import ADVICE, BLOCKED, BROKEN, MANUAL, NOTE, SAFE, UNSAFE

if TYPE_CHECKING:
    import types
    from pathlib import Path

    from neuron_migrate.finding import FileResult
    from tests.cli.conftest import Runner

FIXED = 'x.to("neuron")\n'
DIFF = b'--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x.to("cuda")\n+x.to("neuron")\n'


@pytest.mark.parametrize(
    ("text", "options", "preview", "applied"),
    [
        pytest.param("x\n", [], 0, 0, id="clean"),
        pytest.param(SAFE, [], 1, 0, id="all fixed"),
        pytest.param(SAFE, ["--exit-zero"], 0, 0, id="exit zero"),
        pytest.param(SAFE + MANUAL, [], 1, 1, id="something left"),
        pytest.param(SAFE + MANUAL, ["--exit-zero"], 0, 0, id="something left, exit zero"),
        pytest.param(UNSAFE, [], 1, 1, id="unsafe is left"),
        pytest.param(UNSAFE, ["--unsafe"], 1, 0, id="unsafe is fixed"),
        pytest.param(NOTE + ADVICE, [], 0, 0, id="nothing anyone must do"),
        pytest.param(SAFE + BLOCKED, [], 1, 1, id="blocked"),
        pytest.param(BROKEN, ["--exit-zero"], 1, 1, id="not analysed"),
    ],
)
def test_exit_status(
    cli: Runner, project: Path, text: str, options: list[str], preview: int, applied: int
) -> None:
    (project / "a.py").write_text(text)
    assert cli("fix", *options).status == preview
    assert (project / "a.py").read_text() == text
    assert cli("fix", "--apply", *options).status == applied


def test_without_apply_it_shows_and_writes_nothing(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    run = cli("fix")
    assert DIFF in run.out
    assert run.text.index("NM101") < run.text.index("diff --git") < run.text.index("Verdict")
    assert (project / "a.py").read_text() == SAFE
    assert not (project / ".neuron-migrate").exists()


def test_apply_writes_and_undo_gives_back(cli: Runner, project: Path) -> None:
    content = b'\xef\xbb\xbfx.to("cuda")\r\n# \xc3\xa9'
    (project / "a.py").write_bytes(content)
    run = cli("fix", "--apply")
    assert run.status == 0
    assert "Verdict: ready" in run.text
    assert "Fixed 1 finding in 1 file." in run.text
    assert b"diff --git" not in run.out
    assert (project / "a.py").read_bytes() == content.replace(b"cuda", b"neuron")
    assert cli("fix", "--apply").status == 0
    undone = cli("undo")
    assert (undone.status, undone.text) == (0, f"Restored 1 file.\n  {project / 'a.py'}\n")
    assert (project / "a.py").read_bytes() == content
    assert cli("undo").status == 2


def test_undo_refuses_an_edited_file(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    cli("fix", "--apply")
    (project / "a.py").write_text("mine\n")
    run = cli("undo")
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert (project / "a.py").read_text() == "mine\n"


def test_the_report_after_apply_is_about_what_is_left(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE + MANUAL)
    document = json.loads(cli("fix", "--apply", "--output-format", "json").out)
    assert [finding["code"] for finding in document["findings"]] == ["NM301"]
    assert document["summary"]["fixable"] == 0


def test_patch_is_what_git_apply_takes(cli: Runner, project: Path) -> None:
    latin = '# coding: latin-1\nx.to("cuda")  # é\n'.encode("latin-1")
    (project / "a.py").write_bytes(latin)
    run = cli("fix", "--patch", "change.patch", "--output-format", "json")
    assert json.loads(run.out)["summary"]["verdict"] == "auto"
    assert (project / "a.py").read_bytes() == latin
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    subprocess.run(["git", "apply", "change.patch"], cwd=project, check=True)
    assert (project / "a.py").read_bytes() == latin.replace(b"cuda", b"neuron")


def test_apply_writes_the_patch_too(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    cli("fix", "--apply", "--patch", "change.patch")
    assert (project / "change.patch").read_bytes().endswith(DIFF)
    assert (project / "a.py").read_text() == FIXED


def test_a_patch_that_cannot_be_written_stops_everything(cli: Runner, project: Path) -> None:
    (project / "a.py").write_text(SAFE)
    assert cli("fix", "--apply", "--patch", project).status == 2
    assert (project / "a.py").read_text() == SAFE


def test_a_read_only_file_is_left_and_the_others_go_on(cli: Runner, project: Path) -> None:
    for name in ("a.py", "b.py"):
        (project / name).write_text(SAFE)
    (project / "a.py").chmod(0o444)
    run = cli("fix", "--apply", "--output-format", "concise")
    assert (run.status, run.err.count("\n")) == (2, 1)
    assert "a.py: cannot write: read-only" in run.err
    assert run.text.startswith("a.py:1:6: NM101")
    assert "Fixed 1 finding in 1 file." in run.text
    assert (project / "a.py").read_text() == SAFE
    assert (project / "b.py").read_text() == FIXED


@pytest.mark.parametrize("options", [[], ["--apply"]])
def test_a_file_that_changes_meanwhile_is_left(
    cli: Runner, project: Path, engine: types.ModuleType, options: list[str]
) -> None:
    file = project / "a.py"
    file.write_text(SAFE)
    scan = engine.scan

    def slow(*given: object, **named: object) -> list[FileResult]:
        results: list[FileResult] = scan(*given, **named)
        file.write_text(SAFE + "# by someone else\n")
        return results

    engine.scan = slow  # type: ignore[attr-defined]
    run = cli("fix", *options)
    assert (run.status, "changed while it was being fixed" in run.err) == (2, True)
    assert file.read_text() == SAFE + "# by someone else\n"


def _feed(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_standard_input_gives_the_diff(cli: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    _feed(monkeypatch, SAFE.encode())
    run = cli("fix", "-", "--stdin-filename", "a.py")
    assert run.status == 1
    assert run.out == b"diff --git a/a.py b/a.py\n" + DIFF
    assert "Verdict: auto" in run.err


@pytest.mark.parametrize(
    ("content", "fixed", "status"),
    [
        (SAFE.encode(), FIXED.encode(), 0),
        (b"x\r\n", b"x\r\n", 0),
        (b"", b"", 0),
        ((SAFE + MANUAL).encode(), (FIXED + MANUAL).encode(), 1),
        (b'# coding: latin-1\r\n"cuda" # \xe9', b'# coding: latin-1\r\n"neuron" # \xe9', 0),
        (b"syntax error \xff", b"syntax error \xff", 1),
    ],
)
def test_standard_input_applied_is_the_fixed_code(
    cli: Runner, monkeypatch: pytest.MonkeyPatch, content: bytes, fixed: bytes, status: int
) -> None:
    _feed(monkeypatch, content)
    run = cli("fix", "--apply", "-")
    assert (run.out, run.status) == (fixed, status)


def test_a_fix_that_cannot_be_encoded_is_an_error(
    cli: Runner, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "a.py").write_text("# coding: ascii\n" + SAFE)

    def refuse(self: object, text: str) -> bytes:
        raise source.SourceError("cannot encode it")

    monkeypatch.setattr("neuron_migrate.api.changes.encoded", refuse)
    run = cli("fix", "--apply")
    assert (run.status, "a.py: cannot encode it" in run.err) == (2, True)
    _feed(monkeypatch, SAFE.encode())
    run = cli("fix", "--apply", "-", "--quiet")
    assert (run.status, run.out) == (2, SAFE.encode())
    assert (project / "a.py").read_text() == "# coding: ascii\n" + SAFE
