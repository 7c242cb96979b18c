from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.report.diff import by_cell, colored, unified

if TYPE_CHECKING:
    from pathlib import Path

BEFORE = b'import torch\n\nx = torch.ones(1, device="cuda")\n'
AFTER = b'import torch\n\nx = torch.ones(1, device="neuron")\n'


def test_a_plain_diff() -> None:
    assert unified("src/a.py", BEFORE, AFTER) == (
        b"diff --git a/src/a.py b/src/a.py\n"
        b"--- a/src/a.py\n"
        b"+++ b/src/a.py\n"
        b"@@ -1,3 +1,3 @@\n"
        b" import torch\n"
        b" \n"
        b'-x = torch.ones(1, device="cuda")\n'
        b'+x = torch.ones(1, device="neuron")\n'
    )


def test_no_change_no_diff() -> None:
    assert unified("a.py", BEFORE, BEFORE) == b""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a b.py", b"--- a/a b.py\t\n"),
        ("a\tb.py", b'--- "a/a\\tb.py"\n'),
        ('a"b.py', b'--- "a/a\\"b.py"\n'),
        ("a\\b.py", b'--- "a/a\\\\b.py"\n'),
        ("é.py", b'--- "a/\\303\\251.py"\n'),
        ("/tmp/a.py", b"--- a/tmp/a.py\n"),
    ],
)
def test_names_as_git_writes_them(path: str, line: bytes) -> None:
    assert line in unified(path, BEFORE, AFTER)


FAR = b"x\n" * 20
CONTENTS = {
    "plain": (BEFORE, AFTER),
    "crlf": (BEFORE.replace(b"\n", b"\r\n"), AFTER.replace(b"\n", b"\r\n")),
    "mixed": (b"a\r\nb\ncuda\r\nc\n", b"a\r\nb\nneuron\r\nc\n"),
    "no final newline": (BEFORE.rstrip(b"\n"), AFTER.rstrip(b"\n")),
    "no final newline far away": (
        b"cuda\n" + b"x\n" * 9 + b"end",
        b"neuron\n" + b"x\n" * 9 + b"end",
    ),
    "one line": (b"cuda", b"neuron"),
    "a final newline goes": (b"a\ncuda\n", b"a\nneuron"),
    "a final newline comes": (b"a\ncuda", b"a\nneuron\n"),
    "lone carriage returns": (b"a\rcuda\rb\r", b"a\rneuron\rb\r"),
    "form feed": (b"a\n\x0c\ncuda\n\x0b\x1c\x85\n", b"a\n\x0c\nneuron\n\x0b\x1c\x85\n"),
    "bom": (b"\xef\xbb\xbf" + BEFORE, b"\xef\xbb\xbf" + AFTER),
    "latin-1": (
        b"# -*- coding: latin-1 -*-\n# \xe9\ncuda\n",
        b"# -*- coding: latin-1 -*-\n# \xe9\nneuron\n",
    ),
    "unicode line ends": ("'\u2028\x85'\ncuda\n".encode(), "'\u2028\x85'\nneuron\n".encode()),
    "like a header": (b"-- a/x\n++ b/x\ncuda\n", b"-- b/x\n++ c/x\nneuron\n"),
    "emptied": (b"torch.cuda.empty_cache()\n", b""),
    "two hunks": (b"cuda\n" + FAR + b"cuda\n", b"neuron\n" + FAR + b"neuron\n"),
    "lines added": (b"a\ncuda\n", b"import os\n\na\nneuron\nb\n"),
    "trailing blanks": (b"a  \n\t\ncuda \n", b"a  \n\t\nneuron \n"),
}


@pytest.mark.parametrize(("before", "after"), CONTENTS.values(), ids=CONTENTS)
def test_git_applies_it_and_its_reverse(tmp_path: Path, before: bytes, after: bytes) -> None:
    _both_ways(tmp_path, "a.py", before, after)


@pytest.mark.parametrize(
    "name",
    [
        "a b.py",
        "a\tb.py",
        'q"q.py',
        "back\\slash.py",
        "é.py",
        "new\nline.py",
        os.fsdecode(b"\xff.py"),
        "b/a/c.py",
        " lead.py",
        "2020-01-01 10:00:00.py",
    ],
)
def test_git_finds_the_file(tmp_path: Path, name: str) -> None:
    _both_ways(tmp_path, name, BEFORE, AFTER)


def test_a_report_around_the_diff_does_not_matter(tmp_path: Path) -> None:
    diff = b"a.py\n  3:1 breaks NM101 x\n\n" + unified("a.py", BEFORE, AFTER) + b"\nVerdict: auto\n"
    (tmp_path / "a.py").write_bytes(BEFORE)
    _git_apply(tmp_path, diff)
    assert (tmp_path / "a.py").read_bytes() == AFTER


def test_colour_changes_nothing_else() -> None:
    for before, after in CONTENTS.values():
        diff = unified("a.py", before, after)
        assert re.sub(rb"\x1b\[[0-9;]*m", b"", colored(diff)) == diff
    assert b"\x1b[32m+x = " in colored(unified("a.py", BEFORE, AFTER))


def _both_ways(folder: Path, name: str, before: bytes, after: bytes) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(before)
    diff = unified(name, before, after)
    _git_apply(folder, diff)
    assert file.read_bytes() == after
    _git_apply(folder, diff, "--reverse")
    assert file.read_bytes() == before


def _git_apply(folder: Path, diff: bytes, *options: str) -> None:
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    command = ["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", *options, "-"]
    done = subprocess.run(command, cwd=folder, input=diff, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_a_notebook_by_cell() -> None:
    before = {2: "a\ncuda", 4: "b", 5: "", 7: "c\n"}
    after = {2: "a\nneuron", 4: "b", 5: "new", 7: "c"}
    diff = by_cell("x/a\n.ipynb", before, after)
    assert diff == (
        b"x/a\\n.ipynb, cell 2\n@@ -1,2 +1,2 @@\n a\n-cuda\n+neuron\n"
        b"x/a\\n.ipynb, cell 5\n@@ -0,0 +1 @@\n+new\n"
    )
    assert b"\x1b[1mx/a\\n.ipynb, cell 2\x1b[0m\n" in colored(diff)
