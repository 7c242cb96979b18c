from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.apply.journal import Journal
from neuron_migrate.apply.undo import UndoResult, undo
from neuron_migrate.apply.write import ApplyError, replace
from neuron_migrate.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ODD = os.fsdecode(b"sub dir/caf\xe9.py")
STATE = ".neuron-migrate"


def tree(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and STATE not in path.relative_to(root).parts
    }


def plant(root: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def apply(root: Path, changes: Mapping[str, bytes]) -> None:
    with Journal.begin(root) as journal:
        for name, after in changes.items():
            path = root / name
            before = path.read_bytes()
            journal.record(path, before, after)
            replace(path, before, after)


def entries(root: Path) -> list[Path]:
    return sorted((root / STATE / "journal").iterdir())


def mistake(root: Path) -> str:
    there = tree(root)
    with pytest.raises(UsageError) as caught:
        undo(root)
    assert tree(root) == there
    return str(caught.value)


BYTES = {
    "crlf.py": b"x = 'cuda'\r\n",
    "bom.py": b"\xef\xbb\xbfx\r\ny\rz\n\x0c",
    "gbk.py": b"# coding: gbk\n'\xc4\xe3'",
    "binary.py": bytes(range(256)),
    "empty.py": b"",
    ODD: b"odd\n",
}


def test_bytes_and_modes_come_back(tmp_path: Path) -> None:
    plant(tmp_path, BYTES)
    (tmp_path / "crlf.py").chmod(0o750)
    apply(tmp_path, {name: data + b"#" for name, data in BYTES.items()})
    assert tree(tmp_path) == {name: data + b"#" for name, data in BYTES.items()}
    assert undo(tmp_path) == UndoResult(tuple(tmp_path / name for name in BYTES))
    assert tree(tmp_path) == BYTES
    assert stat.S_IMODE((tmp_path / "crlf.py").stat().st_mode) == 0o750
    assert entries(tmp_path) == []


def test_nothing_to_undo(tmp_path: Path) -> None:
    assert mistake(tmp_path) == f"nothing to undo in {tmp_path}"
    apply(plant(tmp_path, {"a.py": b"1"}), {})
    assert not (tmp_path / STATE).exists()
    apply(tmp_path, {"a.py": b"2"})
    undo(tmp_path)
    assert mistake(tmp_path) == f"nothing to undo in {tmp_path}"


def test_again_goes_further_back(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    for number in range(1, 12):
        apply(tmp_path, {"a.py": b"%d" % number})
    apply(tmp_path, {"b.py": b"1"})
    assert undo(tmp_path).restored == (tmp_path / "b.py",)
    for number in range(10, -1, -1):
        assert undo(tmp_path).restored == (tmp_path / "a.py",)
        assert (tmp_path / "a.py").read_bytes() == b"%d" % number


def test_a_file_written_twice_in_one_apply(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0"})
    with Journal.begin(tmp_path) as journal:
        for before, after in ((b"0", b"1"), (b"1", b"2")):
            journal.record(tmp_path / "a.py", before, after)
            replace(tmp_path / "a.py", before, after)
    assert undo(tmp_path).restored == (tmp_path / "a.py",)
    assert tree(tmp_path) == {"a.py": b"0"}


def edit(file: Path) -> None:
    file.write_bytes(b"mine")


def make_link(file: Path) -> None:
    copy = file.with_name("elsewhere.py")
    file.rename(copy)
    file.symlink_to(copy)


@pytest.mark.parametrize("change", [edit, Path.unlink, make_link])
def test_a_file_edited_since_refuses_all(tmp_path: Path, change: Callable[[Path], None]) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0", "c.py": b"0"})
    apply(tmp_path, {"a.py": b"1", "b.py": b"1", "c.py": b"1"})
    for name in ("a.py", "c.py"):
        change(tmp_path / name)
    message = mistake(tmp_path)
    assert message == (
        "not undone: edited, moved or removed since it was applied: "
        f"{tmp_path / 'a.py'}, {tmp_path / 'c.py'}"
    )
    for name in ("a.py", "c.py"):
        (tmp_path / name).unlink(missing_ok=True)
        (tmp_path / name).write_bytes(b"1")
    assert len(undo(tmp_path).restored) == 3


def test_a_file_reverted_by_hand_is_fine(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    apply(tmp_path, {"a.py": b"1", "b.py": b"1"})
    (tmp_path / "a.py").write_bytes(b"0")
    os.utime(tmp_path / "a.py", ns=(1, 1))
    assert undo(tmp_path).restored == (tmp_path / "b.py",)
    assert (tmp_path / "a.py").stat().st_mtime_ns == 1


def test_what_was_not_written_does_not_matter(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0", "c.py": b"0"})
    (tmp_path / "a.py").chmod(0o444)
    with Journal.begin(tmp_path) as journal:
        for name in ("a.py", "b.py", "c.py"):
            journal.record(tmp_path / name, b"0", b"1")
            if name == "b.py":
                edit(tmp_path / name)
            try:
                replace(tmp_path / name, b"0", b"1")
            except ApplyError:
                assert name != "c.py"
    (tmp_path / "a.py").chmod(0o644)
    edit(tmp_path / "a.py")
    assert undo(tmp_path).restored == (tmp_path / "c.py",)
    assert tree(tmp_path) == {"a.py": b"mine", "b.py": b"mine", "c.py": b"0"}


def test_a_file_edited_while_the_others_are_written_is_not_forgotten(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    with Journal.begin(tmp_path) as journal:
        for name in ("a.py", "b.py"):
            journal.record(tmp_path / name, b"0", b"1")
            replace(tmp_path / name, b"0", b"1")
        edit(tmp_path / "a.py")
    assert str(tmp_path / "a.py") in mistake(tmp_path)


def test_an_apply_that_wrote_nothing_leaves_no_entry(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0"})
    apply(tmp_path, {"a.py": b"1"})
    with pytest.raises(ApplyError), Journal.begin(tmp_path) as journal:
        journal.record(tmp_path / "a.py", b"stale", b"2")
        replace(tmp_path / "a.py", b"stale", b"2")
    assert len(entries(tmp_path)) == 1


def test_ctrl_c_between_files(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    with pytest.raises(KeyboardInterrupt), Journal.begin(tmp_path) as journal:
        journal.record(tmp_path / "a.py", b"0", b"1")
        replace(tmp_path / "a.py", b"0", b"1")
        journal.record(tmp_path / "b.py", b"0", b"1")
        raise KeyboardInterrupt
    assert undo(tmp_path).restored == (tmp_path / "a.py",)


def test_read_only_files_refuse_all(tmp_path: Path) -> None:
    names = ("a.py", "b.py", "c.py", "d.py")
    plant(tmp_path, dict.fromkeys(names, b"0"))
    apply(tmp_path, dict.fromkeys(names, b"1"))
    for name in ("b.py", "c.py", "d.py"):
        (tmp_path / name).chmod(0o444)
    (tmp_path / "d.py").unlink()
    (tmp_path / "d.py").write_bytes(b"0")  # back already, so nobody has to write it
    (tmp_path / "d.py").chmod(0o444)
    locked = f"{tmp_path / 'b.py'}, {tmp_path / 'c.py'}"
    assert mistake(tmp_path) == f"not undone: read-only: {locked}"
    for name in ("b.py", "c.py"):
        (tmp_path / name).chmod(0o644)
    assert undo(tmp_path).restored == tuple(tmp_path / name for name in ("a.py", "b.py", "c.py"))


def test_undo_goes_on_where_the_disk_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    apply(tmp_path, {"a.py": b"1", "b.py": b"1"})
    rename = Path.replace

    def refuse(self: Path, target: Path) -> Path:
        if target.name == "b.py":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    with monkeypatch.context() as patch, pytest.raises(ApplyError, match=r"b\.py: .*No space"):
        patch.setattr(Path, "replace", refuse)
        undo(tmp_path)
    assert tree(tmp_path) == {"a.py": b"0", "b.py": b"1"}
    assert undo(tmp_path).restored == (tmp_path / "b.py",)
    assert tree(tmp_path) == {"a.py": b"0", "b.py": b"0"}


def test_a_mode_changed_since_is_kept(tmp_path: Path) -> None:
    apply(plant(tmp_path, {"a.py": b"0"}), {"a.py": b"1"})
    (tmp_path / "a.py").chmod(0o755)
    undo(tmp_path)
    assert (tmp_path / "a.py").read_bytes() == b"0"
    assert stat.S_IMODE((tmp_path / "a.py").stat().st_mode) == 0o755


def test_a_folder_that_went_away(tmp_path: Path) -> None:
    apply(plant(tmp_path, {"p/a.py": b"0", "b.py": b"0"}), {"p/a.py": b"1", "b.py": b"1"})
    (tmp_path / "p").rename(tmp_path / "q")
    assert str(tmp_path / "p/a.py") in mistake(tmp_path)
    (tmp_path / "q").rename(tmp_path / "p")
    assert len(undo(tmp_path).restored) == 2


def test_an_edit_between_two_applies_refuses_the_first_only(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    apply(tmp_path, {"a.py": b"1", "b.py": b"1"})
    edit(tmp_path / "a.py")
    apply(tmp_path, {"a.py": b"2"})
    assert undo(tmp_path).restored == (tmp_path / "a.py",)
    assert tree(tmp_path) == {"a.py": b"mine", "b.py": b"1"}
    assert mistake(tmp_path).endswith(f": {tmp_path / 'a.py'}")
    (tmp_path / "a.py").write_bytes(b"1")
    undo(tmp_path)
    assert tree(tmp_path) == {"a.py": b"0", "b.py": b"0"}


def test_links_and_files_outside_of_the_root(tmp_path: Path) -> None:
    plant(tmp_path, {"out/a.py": b"0", "in/real.py": b"0"})
    (tmp_path / "in/link.py").symlink_to("real.py")
    (tmp_path / "way").symlink_to("in")
    apply(tmp_path / "way", {"../out/a.py": b"1", "link.py": b"1"})
    assert tree(tmp_path)["out/a.py"] == b"1"
    undo(tmp_path / "in")
    assert tree(tmp_path)["out/a.py"] == tree(tmp_path)["in/real.py"] == b"0"
    assert (tmp_path / "in/link.py").is_symlink()


def test_the_project_may_move(tmp_path: Path) -> None:
    apply(plant(tmp_path / "old", {"a.py": b"0"}), {"a.py": b"1"})
    (tmp_path / "old").rename(tmp_path / "new")
    assert undo(tmp_path / "new").restored == (tmp_path / "new/a.py",)


def test_a_copied_journal_is_not_trusted(tmp_path: Path) -> None:
    apply(plant(tmp_path / "old", {"a.py": b"0"}), {"a.py": b"1"})
    shutil.copytree(tmp_path / "old", tmp_path / "new")
    assert "copied from elsewhere" in mistake(tmp_path / "new")


def test_a_state_folder_that_leads_elsewhere_is_not_used(tmp_path: Path) -> None:
    plant(tmp_path, {"in/a.py": b"0"})
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / STATE).symlink_to("../out")
    with pytest.raises(ApplyError, match="is a link"):
        apply(tmp_path / "in", {"a.py": b"1"})
    assert tree(tmp_path) == {"in/a.py": b"0"}
    assert list((tmp_path / "out").iterdir()) == []


def test_git_does_not_see_the_journal(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    apply(plant(tmp_path, {"a.py": b"0"}), {"a.py": b"1"})
    command = ["git", "-C", str(tmp_path), "status", "--porcelain"]
    assert subprocess.run(command, check=True, capture_output=True).stdout == b"?? a.py\n"


def test_only_the_owner_reads_the_journal(tmp_path: Path) -> None:
    apply(plant(tmp_path, {"a.py": b"0"}), {"a.py": b"1"})
    assert [stat.S_IMODE(entry.stat().st_mode) for entry in entries(tmp_path)] == [0o600]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(b'"kind":"record"', b'"kind":"other"', id="kind"),
        pytest.param(b'"path"', b'"pass"', id="key"),
        pytest.param(b'"path":"a', b'"path":"\xff', id="utf-8"),
        pytest.param(b'"original":"MA', b'"original":"MQ', id="original"),
        pytest.param(b'"original":"MA', b'"original":"?', id="base64"),
    ],
)
def test_a_damaged_journal(tmp_path: Path, old: bytes, new: bytes) -> None:
    apply(plant(tmp_path, {"a.py": b"0"}), {"a.py": b"1"})
    (entry,) = entries(tmp_path)
    data = entry.read_bytes()
    assert old in data
    entry.write_bytes(data.replace(old, new))
    message = mistake(tmp_path)
    assert message.startswith(f"{entry}: damaged: ")
    assert message.endswith("; delete it to give up what it holds")
    entry.write_bytes(data)
    undo(tmp_path)


def test_a_damaged_journal_can_be_given_up(tmp_path: Path) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    apply(tmp_path, {"a.py": b"1"})
    apply(tmp_path, {"b.py": b"1"})
    last = entries(tmp_path)[-1]
    last.write_bytes(b"{}\n")
    assert str(last) in mistake(tmp_path)
    last.unlink()
    assert undo(tmp_path).restored == (tmp_path / "a.py",)


@pytest.mark.parametrize("lines", range(4))
def test_a_journal_cut_off_gives_back_what_it_holds(tmp_path: Path, lines: int) -> None:
    """A crash cuts off within a line at most: each is on the disk before its file is touched."""
    apply(plant(tmp_path, BEFORE), AFTER)
    (entry,) = entries(tmp_path)
    data = b"".join(entry.read_bytes().splitlines(keepends=True)[: lines + 1])
    os.truncate(entry, len(data) - 1)
    known = list(BEFORE)[: max(lines - 1, 0)]
    assert undo(tmp_path).restored == tuple(tmp_path / name for name in known)
    assert tree(tmp_path) == {**AFTER, **{name: BEFORE[name] for name in known}}


def test_an_entry_that_is_no_file(tmp_path: Path) -> None:
    apply(plant(tmp_path, {"a.py": b"0"}), {"a.py": b"1"})
    os.mkfifo(tmp_path / STATE / "journal/000002.jsonl")
    assert "not a regular file" in mistake(tmp_path)


@pytest.mark.parametrize("calls", [1, 5, 6])
def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    plant(tmp_path, {"a.py": b"0", "b.py": b"0"})
    left = [calls]
    fsync = os.fsync

    def sync(descriptor: int) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", sync)
    with Journal.begin(tmp_path) as journal:
        with pytest.raises(ApplyError, match="no way to record the undo: No space left"):
            for _ in range(calls):
                journal.record(tmp_path / "a.py", b"0", b"1")
        journal.record(tmp_path / "b.py", b"0", b"1")
        replace(tmp_path / "b.py", b"0", b"1")
    assert undo(tmp_path).restored == (tmp_path / "b.py",)
    assert entries(tmp_path) == []


BEFORE = {f"p/m{number}.py": b"%d = 'cuda'\r\n" % number for number in range(2)}
STRIDE = 5
AFTER = {name: data.replace(b"cuda", b"neuron") for name, data in BEFORE.items()}


def killed(step: int, action: Callable[[], object]) -> bool:
    """Forks, and kills the child at its ``step``-th call of a C function; False when it ended."""
    child = os.fork()
    if child == 0:
        left = [step]

        def count(_: object, event: str, __: object) -> None:
            left[0] -= event == "c_call"
            if left[0] == 0:
                os.kill(os.getpid(), 9)

        sys.setprofile(count)
        try:
            action()
        finally:
            sys.setprofile(None)
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -9


def test_kill_9_at_any_moment_of_an_apply(tmp_path: Path) -> None:
    step, seen = 1, set()
    while True:
        root = plant(tmp_path / str(step), BEFORE)
        ended = not killed(step, partial(apply, root, AFTER))
        assert all(tree(root)[name] in (BEFORE[name], AFTER[name]) for name in BEFORE)
        seen.add(tuple(tree(root).get(name) for name in AFTER))
        if (root / STATE / "journal").is_dir() and entries(root):
            undo(root)
        assert tree(root) == BEFORE
        if ended:
            break
        step += STRIDE
    assert len(seen) == len(BEFORE) + 1
    assert step > 100


def test_kill_9_at_any_moment_of_an_undo(tmp_path: Path) -> None:
    step, seen = 1, set()
    while True:
        root = plant(tmp_path / str(step), BEFORE)
        apply(root, AFTER)
        ended = not killed(step, partial(undo, root))
        seen.add(tuple(tree(root).get(name) for name in AFTER))
        if entries(root):
            undo(root)
        assert tree(root) == BEFORE
        if ended:
            break
        step += STRIDE
    assert len(seen) == len(BEFORE) + 1
    assert step > 50
