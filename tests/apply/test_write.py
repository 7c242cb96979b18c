from __future__ import annotations

import errno
import os
import pickle
import resource
import stat
from pathlib import Path

import pytest

from neuron_migrate.apply.write import ApplyError, replace, sweep

BEFORE, AFTER = b"x = 'cuda'\r\n", b"x = 'neuron'\r\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / os.fsdecode(b"a b\xff.py")
    file.write_bytes(BEFORE)
    return file


def refuse(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def refusal(path: Path, expected: bytes = BEFORE, new: bytes = AFTER) -> str:
    """Why the file is not written; nothing else in its folder may have changed."""
    there = {each.name: (each.lstat().st_ino, each.lstat().st_mtime_ns) for each in around(path)}
    with pytest.raises(ApplyError) as caught:
        replace(path, expected, new)
    assert caught.value.path == path
    assert str(caught.value) == f"{path}: {caught.value.reason}"
    assert there == {
        each.name: (each.lstat().st_ino, each.lstat().st_mtime_ns) for each in around(path)
    }
    return caught.value.reason


def around(path: Path) -> list[Path]:
    return list(path.parent.iterdir()) if path.parent.is_dir() else []


def test_replaced_and_nothing_left_behind(file: Path) -> None:
    replace(file, BEFORE, AFTER)
    assert file.read_bytes() == AFTER
    assert around(file) == [file]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664, 0o4755, 0o200], ids=oct)
def test_the_mode_is_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    if not os.access(file, os.R_OK):
        pytest.skip("only root reads it")
    replace(file, BEFORE, AFTER)
    assert stat.S_IMODE(file.stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(file: Path) -> None:
    os.chown(file, 1234, 4321)
    replace(file, BEFORE, AFTER)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 4321)


def test_a_link_stays_a_link(file: Path, tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links/a.py"
    link.symlink_to(Path("..", file.name))
    replace(link, BEFORE, AFTER)
    assert link.is_symlink()
    assert file.read_bytes() == AFTER
    assert around(link) == [link]


def test_the_same_bytes_are_not_written(file: Path) -> None:
    file.chmod(0o444)
    os.utime(file, ns=(1, 1))
    inode = file.stat().st_ino
    replace(file, BEFORE, BEFORE)
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (1, inode)


@pytest.mark.parametrize("mode", [0o444, 0o555, 0o400], ids=oct)
def test_a_read_only_file(file: Path, mode: int) -> None:
    file.chmod(mode)
    assert refusal(file) == "cannot write: read-only"
    assert file.read_bytes() == BEFORE


def test_without_permission_to_write(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert refusal(file) == "cannot write: read-only"


def test_a_file_that_changed(file: Path) -> None:
    file.write_bytes(b"x = 'cuda'\n")
    assert refusal(file) == "cannot write: changed since it was read"
    assert file.read_bytes() == b"x = 'cuda'\n"


def test_what_is_no_file_any_more(tmp_path: Path) -> None:
    assert refusal(tmp_path / "gone.py") == "cannot write: No such file or directory"
    assert refusal(tmp_path / "gone/a.py") == "cannot write: No such file or directory"
    (tmp_path / "folder.py").mkdir()
    assert refusal(tmp_path / "folder.py") == "cannot read: Is a directory"
    os.mkfifo(tmp_path / "pipe.py")
    assert refusal(tmp_path / "pipe.py") == "cannot read: not a regular file"


def test_a_file_size_limit(file: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        reason = refusal(file, new=b"#" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert reason == "cannot write: File too large"
    assert file.read_bytes() == BEFORE


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        pytest.param(Path, "open", id="folder"),
        pytest.param(Path, "chmod", id="mode"),
        pytest.param(os, "fsync", id="disk"),
        pytest.param(Path, "replace", id="rename"),
    ],
)
def test_the_disk_refuses(
    file: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    monkeypatch.setattr(owner, name, refuse)
    assert refusal(file) == "cannot write: No space left on device"
    monkeypatch.undo()
    assert file.read_bytes() == BEFORE


@pytest.mark.parametrize(
    ("owner", "name"), [(os, "fsync"), (Path, "replace")], ids=["write", "rename"]
)
def test_ctrl_c(file: Path, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
    monkeypatch.setattr(owner, name, interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace(file, BEFORE, AFTER)
    monkeypatch.undo()
    assert file.read_bytes() == BEFORE
    assert around(file) == [file]


def test_a_folder_that_cannot_be_synced(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [os.fsync, refuse]  # the new file, then its folder
    monkeypatch.setattr(os, "fsync", lambda descriptor: calls.pop(0)(descriptor))
    replace(file, BEFORE, AFTER)
    assert calls == []
    monkeypatch.undo()
    assert file.read_bytes() == AFTER


def test_sweep_takes_only_what_replace_leaves(file: Path, tmp_path: Path) -> None:
    for name in (".neuron-migrate-0123456789abcdef.tmp", ".neuron-migrate", "x.tmp"):
        (tmp_path / name).touch()
    sweep(tmp_path)
    assert {each.name for each in around(file)} == {".neuron-migrate", "x.tmp", file.name}


def test_error_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(ApplyError(Path("a.py"), "why")))
    assert (error.path, error.reason, str(error)) == (Path("a.py"), "why", "a.py: why")
