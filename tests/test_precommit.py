"""The hooks as pre-commit runs them: the file's own entries, on a repository of scratch."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

yaml = pytest.importorskip("yaml")
pytest.importorskip("pre_commit")

from identify.identify import ALL_TAGS, tags_from_path  # noqa: E402

from neuron_migrate.files import kinds  # noqa: E402
from neuron_migrate.files.kinds import Kind, kind_of  # noqa: E402
from tests.ci import command  # noqa: E402

ROOT = Path(__file__).parent.parent
BEFORE = 'import torch\n\nx = torch.ones(2, device="cuda")\n'
AFTER = BEFORE.replace("cuda", "neuron")
AUTHOR = ("-c", "user.name=A Person", "-c", "user.email=person@example.org")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with both hooks installed, apart from this machine's git configuration."""
    commands = tmp_path / "bin"
    command.install(commands)
    monkeypatch.setenv("PATH", str(commands) + os.pathsep + os.environ["PATH"])
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "pre-commit"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    folder = tmp_path / "project"
    folder.mkdir()
    _git(folder, "init", "-q")
    _git(folder, "config", "user.name", "A Person")
    _git(folder, "config", "user.email", "person@example.org")
    return folder


def _hooks() -> list[dict[str, Any]]:
    hooks: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return hooks


def _install(folder: Path, *ids: str) -> None:
    """The hooks of the checkout, without an environment of their own: that takes a network."""
    hooks = [{**hook, "language": "system"} for hook in _hooks() if hook["id"] in ids]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    subprocess.run([sys.executable, "-m", "pre_commit", "install"], cwd=folder, check=True)


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def _commit(folder: Path) -> subprocess.CompletedProcess[str]:
    _git(folder, "add", "-A")
    return _git(folder, "commit", "-m", "change")


def _files(folder: Path) -> list[str]:
    return _git(folder, "ls-tree", "-r", "--name-only", "HEAD").stdout.split()


def test_the_hooks_are_declared_as_the_documentation_names_them() -> None:
    entries = {hook["id"]: hook["entry"] for hook in _hooks()}
    assert entries == {
        "neuron-migrate-check": "neuron-migrate check --quiet --force-exclude",
        "neuron-migrate-fix": "neuron-migrate fix --apply --quiet --force-exclude",
    }
    for hook in _hooks():
        assert (hook["language"], hook["require_serial"]) == ("python", True)
        assert {*hook["types"], *hook["exclude_types"]} <= ALL_TAGS


PATTERNED = (
    "requirements.txt", "requirements.in", "dev-requirements.txt", "requirements/base.in",
    "constraints.txt", "Dockerfile.gpu", "Dockerfile-gpu", "containerfile_gpu", "environment.yml",
)  # fmt: skip
NAMES = (*(f"a{suffix}" for suffix in kinds._SUFFIXES), *kinds._NAMES, *PATTERNED)


def _is_offered(hook: dict[str, Any], file: Path) -> bool:
    """Whether pre-commit hands the file to the hook; its patterns for names match anything."""
    assert not {"files", "exclude", "types_or"} & set(hook)
    tags = tags_from_path(str(file))
    return set(hook["types"]) <= tags and not tags & set(hook["exclude_types"])


@pytest.mark.parametrize("name", NAMES)
def test_the_hooks_are_given_every_kind_of_file_but_documents(name: str, tmp_path: Path) -> None:
    kind = kind_of(name)
    assert kind is not None
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("text\n")
    for hook in _hooks():
        assert _is_offered(hook, file) is (kind is not Kind.MARKUP)


def test_every_kind_is_among_the_names() -> None:
    assert {kind_of(name) for name in NAMES} == set(Kind)


def test_the_hooks_are_given_scripts_by_their_shebang(tmp_path: Path) -> None:
    file = tmp_path / "train"
    file.write_text("#!/usr/bin/env python\n")
    assert all(_is_offered(hook, file) for hook in _hooks())


def test_fix_blocks_the_first_commit_and_passes_the_second(repository: Path) -> None:
    _install(repository, "neuron-migrate-fix")
    (repository / "a.py").write_text(BEFORE)
    (repository / "notes.txt").write_text('device="cuda"\n')
    first = _commit(repository)
    assert first.returncode == 1, first.stderr
    assert "files were modified by this hook" in first.stderr
    assert (repository / "a.py").read_text() == AFTER
    assert (repository / "notes.txt").read_text() == 'device="cuda"\n'
    second = _commit(repository)
    assert second.returncode == 0, second.stderr
    assert _files(repository) == [".pre-commit-config.yaml", "a.py", "notes.txt"]


@pytest.mark.parametrize("name", ["train.sh", "job.slurm", "job.sbatch"])
def test_fix_reaches_what_is_not_python(repository: Path, name: str) -> None:
    _install(repository, "neuron-migrate-fix")
    (repository / name).write_text("CUDA_VISIBLE_DEVICES=0,1 torchrun train.py\n")
    assert _commit(repository).returncode == 1
    text = (repository / name).read_text()
    assert text == "NEURON_RT_VISIBLE_CORES=0,1 torchrun train.py\n"
    assert _commit(repository).returncode == 0


def test_check_reads_what_pip_tools_compiles(repository: Path) -> None:
    _install(repository, "neuron-migrate-check")
    (repository / "requirements.in").write_text("flash-attn\n")
    assert "requirements.in" in _commit(repository).stderr


def test_what_the_configuration_excludes_is_left_alone(repository: Path) -> None:
    _install(repository, "neuron-migrate-fix", "neuron-migrate-check")
    (repository / "neuron-migrate.toml").write_text('exclude = ["third_party/"]\n')
    (repository / "third_party").mkdir()
    (repository / "third_party/a.py").write_text(BEFORE)
    done = _commit(repository)
    assert done.returncode == 0, done.stderr
    assert (repository / "third_party/a.py").read_text() == BEFORE


def test_more_names_than_one_command_line_holds(repository: Path) -> None:
    _install(repository, "neuron-migrate-fix")
    names = [f"{number:03}{'x' * 240}.py" for number in range(600)]
    for name in names:
        (repository / name).write_text("")
    ends = [repository / names[0], repository / names[-1]]
    for file in ends:
        file.write_text(BEFORE)
    assert _commit(repository).returncode == 1
    assert [file.read_text() for file in ends] == [AFTER, AFTER]
    assert len(list((repository / ".neuron-migrate/journal").iterdir())) == 2


def test_check_blocks_until_the_code_is_changed(repository: Path) -> None:
    _install(repository, "neuron-migrate-check")
    (repository / "a.py").write_text(BEFORE)
    first = _commit(repository)
    assert first.returncode == 1
    assert "a.py" in first.stderr
    assert "files were modified" not in first.stderr
    assert (repository / "a.py").read_text() == BEFORE
    (repository / "a.py").write_text(AFTER)
    assert _commit(repository).returncode == 0


def test_clean_code_passes_both_and_leaves_nothing_behind(repository: Path) -> None:
    _install(repository, "neuron-migrate-fix", "neuron-migrate-check")
    (repository / "a b.py").write_text("print(1)\n")
    (repository / "b.pyi").write_text("x: int\n")
    done = _commit(repository)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Passed") == 2
    assert _git(repository, "status", "--porcelain").stdout == ""


@pytest.mark.wheel
def test_pre_commit_builds_and_runs_the_hooks(repository: Path, tmp_path: Path) -> None:
    source = tmp_path / "hooks"
    shutil.copytree(
        ROOT, source, ignore=shutil.ignore_patterns(".git", ".venv", "tests", ".*_cache")
    )
    for arguments in (["init", "-q"], ["add", "-A"], [*AUTHOR, "commit", "-qm", "hooks"]):
        assert _git(source, *arguments).returncode == 0
    (repository / "a.py").write_text(BEFORE)
    _git(repository, "add", "-A")
    tried = [sys.executable, "-m", "pre_commit", "try-repo", str(source), "--all-files"]
    done = subprocess.run(tried, cwd=repository, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "neuron-migrate check" in done.stdout
    assert (repository / "a.py").read_text() == AFTER
