from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from neuron_migrate.errors import UsageError
from neuron_migrate.files.discovery import Discovery, discover


def grow(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def find(root: Path, *paths: str, exclude: tuple[str, ...] = ()) -> Discovery:
    return discover([root / path for path in paths or ("",)], root=root, exclude=exclude)


def names(found: Discovery, root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in found.files]


def skipped(found: Discovery, root: Path) -> dict[str, tuple[str, bool]]:
    return {
        each.path.relative_to(root).as_posix(): (each.reason, each.failed) for each in found.skipped
    }


def test_sorted_files_of_the_kinds_that_are_read(tmp_path: Path) -> None:
    grow(tmp_path, "b.py", "a/z.pyi", "a/b.py", "notes.md", "c.pyc", "d.ipynb", "py")
    found = find(tmp_path)
    assert names(found, tmp_path) == ["a/b.py", "a/z.pyi", "b.py", "d.ipynb"]
    assert found.skipped == ()


def test_documents_on_request(tmp_path: Path) -> None:
    grow(tmp_path, "notes.md", "a.rst", "b.txt")
    found = discover([tmp_path], root=tmp_path, exclude=(), docs=True)
    assert names(found, tmp_path) == ["a.rst", "notes.md"]


def test_hooks_are_given_files_of_any_kind(tmp_path: Path) -> None:
    grow(tmp_path, "notes.txt", "requirements/base.txt")
    named = [tmp_path / "notes.txt", tmp_path / "requirements/base.txt"]
    found = discover(named, root=tmp_path, exclude=(), force_exclude=True)
    assert names(found, tmp_path) == ["requirements/base.txt"]
    assert found.skipped == ()


def test_large_json_is_data(tmp_path: Path) -> None:
    write(tmp_path, {"ds.json": "{}", "data.json": '"' + "x" * 300_000 + '"'})
    assert names(find(tmp_path), tmp_path) == ["ds.json"]
    assert names(find(tmp_path, "data.json"), tmp_path) == ["data.json"]


def test_empty_folder(tmp_path: Path) -> None:
    assert find(tmp_path) == Discovery((), ())


def test_relative_paths_start_at_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(tmp_path, "a/b.py")
    monkeypatch.chdir(tmp_path / "a")
    found = discover([Path(), Path("b.py"), Path("../a")], root=tmp_path, exclude=())
    assert names(found, tmp_path) == ["a/b.py"]


def test_odd_names(tmp_path: Path) -> None:
    odd = [os.fsdecode(b"caf\xe9.py"), "with space/new\nline.py", "-.py", "*.py", "é.py"]
    grow(tmp_path, *odd)
    assert names(find(tmp_path), tmp_path) == sorted(odd)


@pytest.mark.parametrize("path", ["nowhere", "a.py/b.py"])
def test_a_path_that_does_not_exist(tmp_path: Path, path: str) -> None:
    grow(tmp_path, "a.py")
    with pytest.raises(UsageError, match="no such file or folder"):
        find(tmp_path, path)


@pytest.mark.parametrize(
    "folder",
    [
        *(".git", ".hg", ".svn", ".tox", ".nox", ".eggs", "p.egg-info", "node_modules", "build"),
        *("dist", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache", "site-packages"),
    ],
)
def test_folders_passed_over(tmp_path: Path, folder: str) -> None:
    grow(tmp_path, "a.py", f"{folder}/b.py", f"src/{folder}/c.py")
    assert names(find(tmp_path), tmp_path) == ["a.py"]
    assert names(find(tmp_path, folder), tmp_path) == [f"{folder}/b.py"]


@pytest.mark.parametrize("folder", [".venv", "venv", "env", "my-python"])
def test_virtual_environments(tmp_path: Path, folder: str) -> None:
    grow(tmp_path, f"{folder}/pyvenv.cfg", f"{folder}/bin/tool.py", "env/mine.py", "a.py")
    expected = ["a.py"] if folder == "env" else ["a.py", "env/mine.py"]
    assert names(find(tmp_path), tmp_path) == expected
    assert f"{folder}/bin/tool.py" in names(find(tmp_path, "", folder), tmp_path)


def test_a_file_named_like_a_folder_passed_over(tmp_path: Path) -> None:
    grow(tmp_path, "dist.py", "build.py")
    (tmp_path / "build").touch()
    assert names(find(tmp_path), tmp_path) == ["build.py", "dist.py"]


IGNORED = {
    ".git/info/exclude": "/local.py\n",
    ".gitignore": "\ufeff# note\nout/\n*_gen.py\n!keep_gen.py\n/top.py\r\n[z-a]\n!\n",
    "src/.gitignore": "!b_gen.py\ndeep/*\n",
    "local.py": "",
    "top.py": "",
    "a_gen.py": "",
    "keep_gen.py": "",
    "out/a.py": "",
    "src/top.py": "",
    "src/b_gen.py": "",
    "src/out/a.py": "",
    "src/deep/a.py": "",
    "src/deeper/a.py": "",
}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        pytest.param(
            [""], ["keep_gen.py", "src/b_gen.py", "src/deeper/a.py", "src/top.py"], id="root"
        ),
        pytest.param(["src"], ["src/b_gen.py", "src/deeper/a.py", "src/top.py"], id="subfolder"),
        pytest.param(["out"], ["out/a.py"], id="ignored-folder-named"),
        pytest.param(["src/deep"], ["src/deep/a.py"], id="nested-ignored-folder-named"),
        pytest.param(["a_gen.py", "local.py"], ["a_gen.py", "local.py"], id="ignored-files-named"),
        pytest.param(["out", "out/a.py"], ["out/a.py"], id="folder-and-its-file"),
    ],
)
def test_gitignore(tmp_path: Path, paths: list[str], expected: list[str]) -> None:
    write(tmp_path, IGNORED)
    assert names(find(tmp_path, *paths), tmp_path) == expected


def test_other_patterns_still_apply_in_an_ignored_folder(tmp_path: Path) -> None:
    write(
        tmp_path,
        {".git/x": "", ".gitignore": "out\n*_gen.py\n", "out/a.py": "", "out/b_gen.py": ""},
    )
    assert names(find(tmp_path, "out"), tmp_path) == ["out/a.py"]


def test_gitignore_without_git_applies_up_to_the_root(tmp_path: Path) -> None:
    write(tmp_path, {".gitignore": "a.py\n", "p/.gitignore": "b.py\n", "p/src/a.py": ""})
    write(tmp_path, {"p/src/b.py": "", "p/src/c.py": ""})
    found = discover([tmp_path / "p/src"], root=tmp_path / "p", exclude=())
    assert names(found, tmp_path) == ["p/src/a.py", "p/src/c.py"]


def test_an_inner_repository_has_its_own_rules(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".gitignore": "a.py\n", "sub/.git": "gitdir: ../.git/m\n"})
    write(tmp_path, {"a.py": "", "sub/a.py": "", "sub/b.py": "", "sub/.gitignore": "b.py"})
    assert names(find(tmp_path), tmp_path) == ["sub/a.py"]
    assert names(find(tmp_path, "sub"), tmp_path) == ["sub/a.py"]


def test_a_gitignore_that_cannot_be_read_ignores_nothing(tmp_path: Path) -> None:
    grow(tmp_path, "a.py", ".git/HEAD")
    os.mkfifo(tmp_path / ".gitignore")
    assert names(find(tmp_path), tmp_path) == ["a.py"]


@pytest.mark.skipif(shutil.which("git") is None, reason="asks git")
@pytest.mark.parametrize(
    "patterns",
    [
        pytest.param("/*\n!/a/\n", id="only-one-folder"),
        pytest.param("*\n!*/\n!*.py\n", id="only-python"),
        pytest.param("a*\n!a/\n", id="folder-taken-back"),
        pytest.param("a/*\n!a/b\n", id="child-taken-back"),
        pytest.param("**/b/\n!a/b/x.py\n", id="file-under-ignored-folder-stays-ignored"),
        pytest.param("a/**/x.py\n", id="double-star"),
        pytest.param("a/**\n!a/x.py\n", id="double-star-child-taken-back"),
        pytest.param("a/\n**/b/\n/b/*/\n", id="folders-only"),
        pytest.param("a*\n!/a\n", id="taken-back-at-the-top-only"),
        pytest.param("a/b/x.py\\ \n x.py\nx.py \n", id="spaces"),
        pytest.param("[xy].py\n\\!n.py\n\\#n.py\n", id="classes-and-escapes"),
        pytest.param("a?b\nb/x.py\n?.py\n", id="slash-in-the-middle-anchors"),
    ],
)
def test_ignores_what_git_ignores(tmp_path: Path, patterns: str) -> None:
    folders = ["", "a/", "b/", "a/b/", "b/a/", "a/b/a/", "ab/"]
    files = ["x.py", "y.py", " x.py", "!n.py", "#n.py"]
    grow(tmp_path, *(folder + file for folder in folders for file in files))
    (tmp_path / ".gitignore").write_text(patterns)
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    listing = [*git, "ls-files", "-z", "--others", "--exclude-standard", "*.py"]
    theirs = subprocess.run(listing, check=True, capture_output=True, text=True).stdout
    assert names(find(tmp_path), tmp_path) == sorted(theirs.split("\0")[:-1])


@pytest.mark.parametrize(
    ("exclude", "paths", "expected"),
    [
        pytest.param(["vendor/"], [""], ["a.py", "src/a.py", "src/b.py"], id="folder"),
        pytest.param(["/src/*.py", "!b.py"], [""], ["a.py", "src/b.py", "vendor/a.py"], id="back"),
        pytest.param(["a.py"], ["src"], ["src/b.py"], id="below-a-named-folder"),
        pytest.param(["vendor"], ["vendor"], ["vendor/a.py"], id="named-folder"),
        pytest.param(["*"], ["src/b.py"], ["src/b.py"], id="named-file"),
        pytest.param(["!ignored.py"], ["src"], ["src/a.py", "src/b.py"], id="not-over-gitignore"),
    ],
)
def test_exclude(tmp_path: Path, exclude: list[str], paths: list[str], expected: list[str]) -> None:
    grow(tmp_path, "a.py", "src/a.py", "src/b.py", "src/ignored.py", "vendor/a.py")
    (tmp_path / "src/.gitignore").write_text("ignored.py")
    assert names(find(tmp_path, *paths, exclude=tuple(exclude)), tmp_path) == expected


@pytest.mark.parametrize("pattern", ["!", "[z-a]"])
def test_exclude_that_git_would_not_understand(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(UsageError, match="exclude: "):
        find(tmp_path, exclude=(pattern,))


@pytest.mark.parametrize(
    ("first", "read"),
    [
        pytest.param(b"#!/usr/bin/env python3\n", True, id="env"),
        pytest.param(b"#!/opt/bin/python3.12 -u\r\n", True, id="versioned"),
        pytest.param(b"#!/usr/bin/pypy3", True, id="pypy"),
        pytest.param(b"#!/bin/sh\n# python\n", True, id="shell"),
        pytest.param(b"#!/usr/bin/env bash\n", True, id="bash"),
        pytest.param(b"#!/usr/bin/env ruby\n", False, id="ruby"),
        pytest.param(b"#!/usr/bin/pythonista\n", False, id="another-word"),
        pytest.param(b"\x80\x02\0", False, id="binary"),
        pytest.param(b"", False, id="empty"),
    ],
)
def test_a_named_file_of_another_kind(tmp_path: Path, first: bytes, read: bool) -> None:
    (tmp_path / "tool").write_bytes(first)
    found = find(tmp_path, "tool")
    reason = "not a kind of file neuron-migrate reads"
    assert names(found, tmp_path) == (["tool"] if read else [])
    assert skipped(found, tmp_path) == ({} if read else {"tool": (reason, True)})
    assert names(find(tmp_path), tmp_path) == []


def test_links_within_the_paths(tmp_path: Path) -> None:
    grow(tmp_path, "pkg/a.py", "pkg/tool", ".git/HEAD", "pkg/out.py")
    (tmp_path / ".gitignore").write_text("out.py")
    (tmp_path / "pkg/b.py").symlink_to("a.py")
    (tmp_path / "pkg/loop").symlink_to(tmp_path / "pkg")
    (tmp_path / "pkg/self").symlink_to("self")
    (tmp_path / "pkg/c.py").symlink_to("out.py")
    found = find(tmp_path)
    assert names(found, tmp_path) == ["pkg/a.py"]
    target = tmp_path / "pkg/out.py"
    reason = f"a link to {target}, which is ignored or not of a kind that is read"
    assert skipped(found, tmp_path) == {"pkg/c.py": (reason, False)}


def test_links_out_of_the_paths(tmp_path: Path) -> None:
    grow(tmp_path, "in/a.py", "out/b.py", "inside/c.py")
    (tmp_path / "in/b.py").symlink_to("../out/b.py")
    (tmp_path / "in/folder").symlink_to("../out")
    (tmp_path / "in/up").symlink_to("..")
    (tmp_path / "in/longer-name").symlink_to("../inside")
    (tmp_path / "in/notes").symlink_to("../out/b.py")
    found = find(tmp_path, "in")
    assert names(found, tmp_path) == ["in/a.py"]
    to_file, to_folder = (
        f"a link to a {kind} outside of the given paths: {tmp_path}" for kind in ("file", "folder")
    )
    assert skipped(found, tmp_path) == {
        "in/b.py": (f"{to_file}/out/b.py", True),
        "in/folder": (f"{to_folder}/out", False),
        "in/longer-name": (f"{to_folder}/inside", False),
        "in/up": (to_folder, False),
    }


def test_a_link_from_one_given_path_into_another(tmp_path: Path) -> None:
    grow(tmp_path, "in/a.py", "out/b.py")
    (tmp_path / "in/b.py").symlink_to("../out/b.py")
    (tmp_path / "in/folder").symlink_to("../out")
    found = find(tmp_path, "in", "out/b.py")
    assert names(found, tmp_path) == ["in/a.py", "out/b.py"]
    assert list(skipped(found, tmp_path)) == ["in/folder"]


def test_a_named_link_is_read_as_the_real_file(tmp_path: Path) -> None:
    grow(tmp_path, "out/a.py", "out/b.py", "in/c.py")
    (tmp_path / "in/a.py").symlink_to("../out/a.py")
    (tmp_path / "there").symlink_to("out")
    assert names(find(tmp_path, "in/a.py"), tmp_path) == ["out/a.py"]
    assert names(find(tmp_path, "there"), tmp_path) == ["out/a.py", "out/b.py"]


def test_links_that_lead_nowhere(tmp_path: Path) -> None:
    for name in ("gone.py", "gone", ".#edited.py"):
        (tmp_path / name).symlink_to("user@host.1234")
    (tmp_path / "loop.py").symlink_to("loop.py")
    expected = {
        "gone.py": ("a link that leads nowhere: No such file or directory", True),
        "loop.py": ("a link that leads nowhere: Too many levels of symbolic links", True),
    }
    found = find(tmp_path)
    assert (found.files, skipped(found, tmp_path)) == ((), expected)
    assert skipped(find(tmp_path, "gone.py", "loop.py"), tmp_path) == {
        "gone.py": ("cannot read: No such file or directory", True),
        "loop.py": ("cannot read: Too many levels of symbolic links", True),
    }


def test_what_is_not_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link.py").symlink_to(os.devnull)
    (tmp_path / "folder.py").mkdir()
    grow(tmp_path, "folder.py/a.py")
    found = find(tmp_path, "", "pipe")
    assert names(found, tmp_path) == ["folder.py/a.py"]
    assert set(skipped(found, tmp_path)) == {"pipe.py", "pipe", "link.py"}
    assert {each.reason for each in found.skipped} == {"not a regular file"}


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow(tmp_path, "a.py", "closed/b.py")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    found = find(tmp_path)
    assert names(found, tmp_path) == ["a.py"]
    assert skipped(found, tmp_path) == {
        "closed": ("cannot read the folder: Permission denied", True)
    }


def test_a_path_that_may_exist(tmp_path: Path) -> None:
    found = find(tmp_path, "x" * 300)
    assert list(skipped(found, tmp_path).values()) == [("cannot read: File name too long", True)]


def test_a_tree_deeper_than_the_stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(1200):
        Path("d").mkdir()
        os.chdir("d")
    Path("a.py").touch()
    try:
        assert len(find(tmp_path).files) == 1
    finally:
        Path("a.py").unlink()
        for _ in range(1200):
            os.chdir("..")
            Path("d").rmdir()
