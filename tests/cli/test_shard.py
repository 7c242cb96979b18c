"""``check --shard`` and ``report merge``: the parts together say what one run says."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.cli import app
from neuron_migrate.cli.options import OutputFormat
from tests.cli.test_diff_base import commit, git
from tests.cli.test_documents import CUDA, FILES

if TYPE_CHECKING:
    Capture = pytest.CaptureFixture[bytes]

Run = Callable[..., tuple[int, bytes]]
RULE = """
code = "NM950"
name = "own-trainer"
summary = "A trainer of ours."
risk = "breaks"
confidence = "unverified"
effort = "high"
why = "It asks for CUDA."
fix_safety = "None."
sources = []
sdk = "2.33"
triggers = ["OurTrainer"]
[match]
kind = "names"
names = [{name = "ours.OurTrainer"}]
"""
PADDED = (
    "from transformers import AutoTokenizer\n\n"
    'tokenizer = AutoTokenizer.from_pretrained("gpt2")\n'
    'batch = tokenizer(texts, padding=True, max_length=512, return_tensors="pt")\n'
)
MORE = {
    "quiet.py": f"{CUDA}y = x.cuda()  # neuron-migrate: ignore[NM103]\nz = 1  # noqa: NM104\n",
    "advice.py": PADDED,
    "Dockerfile": "FROM nvidia/cuda:12.4.1-base-ubuntu22.04\nENV CUDA_VISIBLE_DEVICES=0\n",
    "requirements.txt": "flash-attn\ntorch\nbitsandbytes\n",
    "README.md": f"```python\n{CUDA}```\n",
    "tests/a.py": CUDA,
    "tests/b.py": "x = 1\n",
    "src/deep/nul.py": "\0",
    "conf/ds_config.json": '{"fp16": {"enabled": "auto"}, "zero_optimization": {"stage": 3}}\n',
}
EXTRA = [
    *(["--output-format", each.value] for each in OutputFormat),
    ["--output-format", "html", "--show-advice"],
    ["--output-format", "sarif", "--show-advice"],
    ["--output-format", "json", "--statistics"],
    ["--statistics", "--fail-on", "info"],
    ["--quiet", "--exit-zero", "--output-format", "concise"],
]


@pytest.fixture
def tree(project: Path) -> Path:
    """A project with files of many kinds, and one beside it that is read as well."""
    top = project / "project"
    for name, content in {**FILES, **MORE}.items():
        file = top / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    (project / "beside").mkdir()
    (project / "beside/other.py").write_text(CUDA)
    (top / "neuron-migrate.toml").write_text(
        'include-docs = true\nper-file-ignores = {"tests/*" = ["NM1"]}\n'
    )
    (top / "gone.py").symlink_to("nowhere.py")
    (top / "out.py").symlink_to(project / "neuron-migrate.toml")
    (top / "src/linked").symlink_to(project)
    (top / os.fsdecode(b"\xff.py")).write_text(CUDA)
    os.chdir(top)
    return top


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: Capture,
    tmp_path_factory: pytest.TempPathFactory,
) -> Run:
    cache = str(tmp_path_factory.mktemp("cache"))
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: cache)
    monkeypatch.setattr(loader, "load", functools.cache(loader.load))

    def called(*arguments: str | Path) -> tuple[int, bytes]:
        capfdbinary.readouterr()
        status = app.run([*map(str, arguments)])
        out, err = capfdbinary.readouterr()
        assert status < 2, err.decode()
        return status, out

    return called


def parts_of(run: Run, number: int, *options: str) -> Path:
    folder = Path.cwd().parent / f"parts-{number}"
    folder.mkdir()
    for index in range(1, number + 1):
        part = folder / f"{index}.json"
        run("check", *options, "--shard", f"{index}/{number}", "--write-part", part, "--exit-zero")
    return folder


def assert_same(run: Run, numbers: Iterable[int], *options: str) -> None:
    whole = [run("check", *options, *extra) for extra in EXTRA]
    for number in numbers:
        parts = parts_of(run, number, *options)
        for extra, expected in zip(EXTRA, whole, strict=True):
            assert run("report", "merge", parts, *extra) == expected, (number, extra)


PATHS = (".", "../beside")


def test_the_parts_make_the_whole(tree: Path, run: Run) -> None:
    assert_same(run, range(1, 6), *PATHS)


def test_the_tree_has_something_of_everything(tree: Path, run: Run) -> None:
    """Or the others would show little."""
    document = json.loads(run("check", *PATHS, "--show-advice", "--output-format", "json")[1])
    found = {(each["path"].rpartition("/")[2], each["code"]) for each in document["findings"]}
    names = {name for name, _ in found}
    assert {"Dockerfile", "README.md", "list.ipynb", "other.py", "requirements.txt"} <= names
    assert {("broken.py", "NM000"), ("nul.py", "NM000"), ("quiet.py", "NM001")} <= found
    assert ("a.py", "NM101") not in found
    summary = document["summary"]
    assert summary["advice"] > 0
    assert {each["failed"] for each in summary["skipped"]} == {True, False}
    assert summary["verdict"] == "blocked"


def test_own_rules_are_described(tree: Path, run: Run) -> None:
    (tree / "ours.toml").write_text(RULE)
    (tree / "ours.py").write_text("from ours import OurTrainer\n\nOurTrainer()\n")
    (tree / "neuron-migrate.toml").write_text('rules = ["ours.toml"]\nselect = ["NM95", "NM101"]\n')
    assert_same(run, [2], *PATHS)
    parts = tree.parent / "parts-2"
    assert b"It asks for CUDA." in run("report", "merge", parts, "--output-format", "html")[1]


def test_the_merging_job_needs_no_checkout(tree: Path, run: Run, tmp_path: Path) -> None:
    parts = parts_of(run, 2, *PATHS)
    whole = [run("check", *PATHS, *extra) for extra in EXTRA]
    empty = tmp_path / "empty"
    empty.mkdir()
    os.chdir(empty)
    tree.rename(tmp_path / "away")
    assert [run("report", "merge", parts, *extra) for extra in EXTRA] == whole


def test_against_a_baseline(tree: Path, run: Run) -> None:
    more = [tree / f"more-{index}.py" for index in range(6)]
    for file in more:
        file.write_text(CUDA)
    run("check", *PATHS, "--write-baseline", "known.json")
    for file in more[:3]:
        file.unlink()
    more[3].write_text("x = 1\n")
    (tree / "plain.py").write_text(CUDA + CUDA)
    options = (*PATHS, "--baseline", "known.json")
    document = json.loads(run("check", *options, "--output-format", "json")[1])
    assert document["baseline"]["gone"] == 4
    assert document["baseline"]["known"] > 10
    assert document["summary"]["findings"] > 1
    assert_same(run, (1, 3), *options)


def test_against_a_revision(tree: Path, run: Run) -> None:
    for folder in (tree, tree.parent / "beside"):
        git(folder, "init", "--quiet", "--initial-branch", "main")
        commit(folder)
    (tree / "plain.py").write_text(CUDA + CUDA)
    (tree / "new.py").write_text(CUDA)
    (tree / "list.ipynb").write_bytes(FILES["list.ipynb"].replace(b"y = x[1].to", b"z = x[1].to"))
    options = (*PATHS, "--diff-base", "main")
    document = json.loads(run("check", *options, "--output-format", "json")[1])
    assert document["diff_base"]["unchanged"] > 0
    assert {each["path"] for each in document["findings"]} >= {"new.py", "plain.py", "list.ipynb"}
    assert_same(run, [3], *options)


def test_a_baseline_is_written_of_the_whole(tree: Path, run: Run) -> None:
    parts = parts_of(run, 3, *PATHS)
    whole = run("check", *PATHS, "--write-baseline", "known.json")
    content = (tree / "known.json").read_bytes()
    (tree / "known.json").unlink()
    assert run("report", "merge", parts, "--write-baseline", "known.json") == whole
    assert (tree / "known.json").read_bytes() == content


def test_a_fleet_is_one_tree(tree: Path, run: Run, tmp_path: Path) -> None:
    beside, parts = tmp_path / "beside", tmp_path / "parts"
    (parts / "ours").mkdir(parents=True)
    for folder in (tree, beside):
        (folder / "neuron-migrate.toml").write_text("")
    (tree / "src/linked").unlink()  # it leads to what only the whole is given
    (tree / "out.py").unlink()
    for index in (1, 2):
        run("check", "--shard", f"{index}/2", "--write-part", parts / f"ours/{index}.json")
    os.chdir(beside)
    run("check", "--write-part", parts / "beside.json")
    os.chdir(tmp_path)
    named = (f"project={parts / 'ours'}", f"beside={parts / 'beside.json'}")
    for extra in EXTRA:
        whole = run("check", "project", "beside", *extra)
        assert run("report", "merge", *named, *extra) == whole, extra


def test_a_shard_says_that_it_is_one(tree: Path, run: Run) -> None:
    total = 0
    for index in (1, 2, 3):
        shard = f"{index}/3"
        document = json.loads(run("check", "--shard", shard, "--output-format", "json")[1])
        assert document["shard"] == {"index": index, "of": 3}
        read = document["summary"]["files_scanned"]
        total += read
        text = " ".join(run("check", "--shard", shard)[1].decode().split())
        assert f"files of other shards; this is {shard}." in text
    whole = json.loads(run("check", "--output-format", "json")[1])
    assert total == whole["summary"]["files_scanned"]
    assert "shard" not in whole


def test_a_part_changes_nothing_of_what_is_printed(tree: Path, run: Run) -> None:
    assert run("check", "--write-part", "../part.json") == run("check")


def refused(capfdbinary: Capture, *arguments: str | Path) -> str:
    capfdbinary.readouterr()
    assert app.run([*map(str, arguments)]) == 2
    out, err = capfdbinary.readouterr()
    assert (out, err.count(b"\n")) == (b"", 1)
    return err.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "--shard", "5/4"], "--shard: expected I/N, such as 2/4"),
        (["check", "-", "--shard", "1/2"], "--shard cannot be combined with -"),
        (["check", "-", "--write-part", "p.json"], "--write-part cannot be combined with -"),
        (["check", "--write-part", "no/p.json"], "--write-part: no such folder"),
        (
            ["check", "--shard", "1/2", "--write-baseline", "b"],
            "--shard cannot be combined with --write-baseline; report merge has it",
        ),
        (["report", "merge", "no.json"], "no.json: cannot read"),
        (["report", "merge", "."], "no .json file in this folder"),
        (["report", "merge", "../x=no.json"], "expected NAME=FILE"),
        (["report", "merge", "=no.json"], "expected NAME=FILE"),
        (["report", "merge", "no.json", "--output", "no/x"], "--output: no such folder"),
        (["report", "merge", "broken.txt"], "broken.txt: not JSON"),
        (["report", "merge", "findings.txt"], "findings.txt: JSON, but not a part of a report"),
        (["report", "merge", "old.txt"], "old.txt: written by neuron-migrate 0.0.1, and this is"),
        (["report", "merge", "part.txt", "part.txt"], "are both shard 1/1"),
    ],
)
def test_mistakes(
    project: Path, run: Run, capfdbinary: Capture, arguments: list[str], words: str
) -> None:
    run("check", "--write-part", "part.txt")
    run("check", "--output-format", "json", "--output", "findings.txt")
    part = json.loads((project / "part.txt").read_text())
    (project / "old.txt").write_text(json.dumps({**part, "version": "0.0.1"}))
    (project / "broken.txt").write_text("{")
    assert words in refused(capfdbinary, *arguments)


def test_a_damaged_part_is_told(project: Path, run: Run, capfdbinary: Capture) -> None:
    run("check", "--write-part", "part.json")
    part = json.loads((project / "part.json").read_text())
    for damage in ({"shard": 1}, {"part": 2}, {"files": [{"result": None}]}):
        (project / "part.json").write_text(json.dumps({**part, **damage}))
        said = refused(capfdbinary, "report", "merge", "part.json")
        assert "part.json: a damaged part of a report" in said


def test_what_other_shards_found_elsewhere_is_no_whole(
    tree: Path, run: Run, capfdbinary: Capture
) -> None:
    run("check", "--shard", "1/2", "--write-part", "../1.json")
    (tree / "more.py").write_text(CUDA)
    run("check", "--shard", "2/2", "--write-part", "../2.json")
    said = refused(capfdbinary, "report", "merge", "../1.json", "../2.json")
    assert "do not fit: other files were found" in said
    run("check", "--shard", "1/2", "--write-part", "../1.json", "--fail-on", "info")
    said = refused(capfdbinary, "report", "merge", "../1.json", "../2.json")
    assert 'do not fit: fail-on "info" and "cpu"' in said
    run("report", "merge", "../1.json", "../2.json", "--fail-on", "wrong")


def test_a_baseline_of_what_is_new_is_refused(tree: Path, run: Run, capfdbinary: Capture) -> None:
    run("check", "--write-baseline", "known.json")
    run("check", "--baseline", "known.json", "--write-part", "../1.json")
    said = refused(capfdbinary, "report", "merge", "../1.json", "--write-baseline", "b.json")
    assert "the parts hold only what is new" in said


def test_help_of_the_group(project: Path, capfdbinary: Capture) -> None:
    for arguments, status in (
        (["report"], 2),
        (["report", "-h"], 0),
        (["report", "merge", "-h"], 0),
    ):
        assert app.run(arguments) == status
        assert b"merge" in capfdbinary.readouterr().out


def test_merging_imports_nothing_heavy(project: Path, run: Run) -> None:
    (project / "a.py").write_text(CUDA)
    run("check", "--write-part", "part.json")
    code = (
        "import sys; from neuron_migrate.cli.app import run\n"
        "run(['report', 'merge', 'part.json', '--output', 'x'])\n"
        "assert not {'libcst', 'jinja2', 'pathspec'} & set(sys.modules), sys.modules"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
