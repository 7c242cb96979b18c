"""``check --diff-base``: what git says has changed, in real repositories."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Runner

LINE = 'x.to("cuda")\n'


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x", "--allow-empty")


@pytest.fixture
def repository(project: Path) -> Path:
    """A committed project with an old finding in each of two files."""
    git(project, "init", "--quiet", "--initial-branch", "main")
    for name in ("a.py", "old.py"):
        (project / name).write_text("a = 1\n" * 9 + LINE)
    commit(project)
    return project


def places(cli: Runner, *options: str) -> list[str]:
    run = cli("check", "--diff-base", "main", "-q", "--output-format", "concise", *options)
    assert run.err == ""
    assert run.status == bool(run.text)
    return [":".join(line.split(":")[:2]) for line in run.text.splitlines()]


def test_nothing_changed(cli: Runner, repository: Path) -> None:
    assert places(cli) == []
    run = cli("check", "--diff-base", "main")
    assert run.text.startswith("Verdict: ready: nothing new.\n0 files read")


def test_only_changed_lines(cli: Runner, repository: Path) -> None:
    (repository / "a.py").write_text("b = 1\n" + LINE + "a = 1\n" * 9 + LINE)
    assert places(cli) == ["a.py:2"]
    commit(repository)
    git(repository, "branch", "other", "HEAD~1")
    run = cli("check", "--diff-base", "other")
    assert "since other: 1 finding in changed files." in " ".join(run.text.split())
    assert run.text.count("NM101 rule-101") == 1
    document = json.loads(cli("check", "--diff-base", "other", "--output-format", "json").out)
    assert document["diff_base"] == {"revision": "other", "unchanged": 1}


def test_lines_that_are_gone_make_nothing_new(cli: Runner, repository: Path) -> None:
    (repository / "a.py").write_text(LINE)
    assert places(cli) == []


def test_what_the_base_has_gained_meanwhile_does_not_count(
    cli: Runner,
    repository: Path,
) -> None:
    git(repository, "switch", "--quiet", "--create", "work")
    (repository / "new.py").write_text(LINE)
    commit(repository)
    git(repository, "switch", "--quiet", "main")
    (repository / "a.py").write_text("nothing\n")
    commit(repository)
    git(repository, "switch", "--quiet", "work")
    assert places(cli) == ["new.py:1"]


@pytest.mark.parametrize("name", ["new.py", "sp ace.py", 'é\n".py', "-x.py", ":(top)x.py"])
@pytest.mark.parametrize("added", [False, True])
def test_new_files(cli: Runner, repository: Path, name: str, added: bool) -> None:
    (repository / name).write_text(LINE)
    if added:
        git(repository, "add", "--all")
    assert len(places(cli)) == 1


def test_a_changed_file_of_an_odd_name(cli: Runner, repository: Path) -> None:
    for name in ("sp ace.py", "*.py", os.fsdecode(b"\xff.py")):
        (repository / name).write_text(LINE + "a\n")
        commit(repository)
        (repository / name).write_text(LINE + "a\n" + LINE)
        assert [place.rpartition(":")[2] for place in places(cli, "--", name)] == ["3"]
        commit(repository)


def test_a_renamed_file(cli: Runner, repository: Path) -> None:
    git(repository, "mv", "a.py", "b.py")
    assert places(cli) == []
    with (repository / "b.py").open("a") as file:
        file.write(LINE)
    assert places(cli) == ["b.py:11"]


def test_a_file_that_git_ignores_is_new_when_named(
    cli: Runner,
    repository: Path,
) -> None:
    (repository / ".gitignore").write_text("ignored.py\n")
    (repository / "ignored.py").write_text(LINE)
    assert places(cli) == []
    assert places(cli, "ignored.py") == ["ignored.py:1"]


def test_a_broken_file_counts_when_it_changed(cli: Runner, repository: Path) -> None:
    (repository / "broken.py").write_text("syntax error\n")
    assert cli("check", "--diff-base", "main").status == 1
    commit(repository)
    assert cli("check", "--diff-base", "main").status == 0


def test_with_a_baseline(cli: Runner, repository: Path) -> None:
    text = "b = 1\n" + LINE + "a = 1\n" * 9 + LINE
    (repository / "a.py").write_text(text)
    cli("check", "--write-baseline", "known.json", "a.py")
    assert places(cli, "--baseline", "known.json") == []
    (repository / "a.py").write_text(text + "a\n" + LINE)
    assert places(cli, "--baseline", "known.json") == ["a.py:14"]


def test_the_settings_of_a_person_do_not_matter(
    cli: Runner,
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for key, value in {
        "diff.noprefix": "true",
        "diff.interHunkContext": "9",
        "diff.external": "false",
        "color.ui": "always",
        "diff.renames": "copies",
    }.items():
        git(repository, "config", key, value)
    monkeypatch.setenv("GIT_DIR", "elsewhere")
    (repository / "a.py").write_text("b\n" + "a = 1\n" * 9 + LINE + "a\n" + LINE)
    assert places(cli) == ["a.py:13"]


def test_a_hunk_may_look_like_a_hunk(cli: Runner, repository: Path) -> None:
    (repository / "a.py").write_text("@@ -1 +10,9 @@\n" + "a = 1\n" * 9 + LINE + "@ -1 +10 @@\n")
    assert places(cli) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--diff-base", "nowhere"], "'nowhere' is not a revision of"),
        (["--diff-base", "--output=x"], "is not a revision of"),
        (["--diff-base", "alone"], "have no commit in common"),
        (["--diff-base", "main", "-"], "cannot be combined"),
        (["--diff-base", "main", "--write-baseline", "b.json"], "cannot be combined"),
    ],
)
def test_a_mistake_is_one_line(
    cli: Runner,
    repository: Path,
    options: list[str],
    words: str,
) -> None:
    git(repository, "switch", "--quiet", "--orphan", "alone")
    commit(repository)
    git(repository, "switch", "--quiet", "main")
    run = cli("check", *options)
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert words in run.err


@pytest.fixture
def submodule(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A submodule with an old finding, committed on main; the work goes on beside it."""
    library = tmp_path_factory.mktemp("library")
    git(library, "init", "--quiet", "--initial-branch", "main")
    (library / "old.py").write_text(LINE)
    commit(library)
    allowed = ("-c", "protocol.file.allow=always")
    git(repository, *allowed, "submodule", "--quiet", "add", str(library), "sub")
    commit(repository)
    git(repository, "switch", "--quiet", "--create", "work")
    return repository / "sub"


def test_nothing_in_a_submodule_has_changed(cli: Runner, submodule: Path) -> None:
    assert places(cli) == []


@pytest.mark.parametrize("committed", [0, 1, 2])
def test_lines_of_a_submodule(cli: Runner, submodule: Path, committed: int) -> None:
    (submodule / "old.py").write_text("a = 1\n" + LINE * 2)
    (submodule / "new.py").write_text(LINE)
    for folder in (submodule, submodule.parent)[:committed]:
        commit(folder)
    assert places(cli) == ["sub/new.py:1", "sub/old.py:2"]


def test_a_new_submodule_is_new(cli: Runner, submodule: Path) -> None:
    assert places(cli, "sub") == []
    run = cli("check", "--diff-base", "main~1", "-q", "--output-format", "concise")
    assert run.text.startswith("sub/old.py:1:")


def test_a_submodule_without_its_old_commit(cli: Runner, submodule: Path) -> None:
    git(submodule, "switch", "--quiet", "--orphan", "alone")
    (submodule / "old.py").write_text(LINE * 2)
    commit(submodule)
    commit(submodule.parent)
    for command in (["branch", "-D", "main"], ["remote", "remove", "origin"]):
        git(submodule, *command)
    git(submodule, "reflog", "expire", "--expire=now", "--all")
    git(submodule, "gc", "--quiet", "--prune=now")
    run = cli("check", "--diff-base", "main")
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert f"git -C {submodule} fetch origin" in run.err


@pytest.mark.parametrize("revision", ["HEAD~1", "main"])
def test_a_shallow_clone_is_told_the_remedy(
    cli: Runner, repository: Path, tmp_path: Path, revision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(repository, "switch", "--quiet", "--create", "work")
    commit(repository)
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{repository}", str(clone))
    git(clone, "fetch", "--quiet", "--depth", "1", "origin", "main:main")
    monkeypatch.chdir(clone)
    run = cli("check", "--diff-base", revision)
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert "fetch-depth: 0" in run.err


def test_outside_of_a_repository(
    cli: Runner,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(project.parent))
    run = cli("check", "--diff-base", "main")
    assert (run.status, run.out, run.err.count("\n")) == (2, b"", 1)
    assert "not a git repository" in run.err
    monkeypatch.setenv("PATH", "")
    assert "cannot run git" in cli("check", "--diff-base", "main").err
