"""Completion as the shells ask for it: through the scripts that --show-completion prints."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.catalog import loader
from neuron_migrate.cli import completion
from tests.cases import catalog
from tests.ci.command import install

if TYPE_CHECKING:
    from pathlib import Path

SHELLS = ("bash", "zsh", "fish")
# zsh completes for a terminal only; the function is called as its completion system would.
COMPLETE = {
    "bash": """
eval "$(_NEURON_MIGRATE_COMPLETE=source_bash neuron-migrate)"
complete -p neuron-migrate >/dev/null || exit 9
COMP_WORDS=($1)
case $1 in *" ") COMP_WORDS+=("") ;; esac
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_neuron_migrate_completion neuron-migrate
printf '%s\\n' "${COMPREPLY[@]}"
""",
    "zsh": """
compdef() { [[ $2 == neuron-migrate ]] || exit 9 }
_files() { :; }
_arguments() { printf '%s\\n' "$@" }
eval "$(_NEURON_MIGRATE_COMPLETE=source_zsh neuron-migrate)"
words=(${(s: :)1})
[[ $1 == *" " ]] && words+=("")
CURRENT=$#words
_neuron_migrate_completion
""",
    "fish": """
_NEURON_MIGRATE_COMPLETE=source_fish neuron-migrate | source
complete --do-complete=$argv[1]
""",
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    """A shell of this machine."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


def offered(shell: str, line: str, folder: Path) -> str:
    """What the shell would show for a command line that ends where it is completed."""
    install(folder / "bin")
    (folder / "home").mkdir(exist_ok=True)
    options = {"bash": ["--norc", "-c"], "zsh": ["-f", "-c"], "fish": ["--no-config", "-c"]}[shell]
    name = [] if shell == "fish" else [shell]
    done = subprocess.run(
        [shell, *options, COMPLETE[shell], *name, line],
        cwd=folder,
        env={
            **os.environ,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(folder / "home"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("line", "there", "not_there"),
    [
        pytest.param("neuron-migrate ", "explain", "--version", id="command"),
        pytest.param("neuron-migrate ch", "check", "explain", id="command begun"),
        pytest.param("neuron-migrate check --out", "--output-format", "--target", id="option"),
        pytest.param("neuron-migrate check --output-format s", "sarif", "json", id="format"),
        pytest.param("neuron-migrate fix --target ", "accelerator", "sarif", id="target"),
        pytest.param("neuron-migrate check --sdk 2.", "2.33", "NM1", id="release"),
        pytest.param("neuron-migrate explain NM10", "NM101", "NM201", id="code"),
        pytest.param("neuron-migrate explain is-", "is-cuda", "NM101", id="name"),
        pytest.param("neuron-migrate check --select NM", "NM3", "NM101", id="family"),
        pytest.param("neuron-migrate check --ignore NM2,NM31", "NM2,NM315", "NM101", id="list"),
    ],
)
def test_every_shell_completes(
    shell: str, line: str, there: str, not_there: str, tmp_path: Path
) -> None:
    shown = offered(shell, line, tmp_path)
    assert there in shown
    assert not_there not in shown


def test_paths_are_left_to_the_shell(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("")
    assert offered("bash", "neuron-migrate check tr", tmp_path).strip() == ""
    if shutil.which("fish"):
        assert "train.py" in offered("fish", "neuron-migrate check tr", tmp_path)


def test_what_is_offered_is_what_the_catalog_holds() -> None:
    rules = catalog().rules
    assert completion.rules("") == [(rule.code, rule.name) for rule in rules]
    assert completion.rules("is") == [(rule.name, rule.code) for rule in rules]
    assert completion.selections("NM1") == completion.rules("")
    assert [code for code, _ in completion.selections("NM1,")] == [
        f"NM1,NM{digit}" for digit in loader.FAMILIES
    ]
    assert {sdk for sdk, _ in completion.releases()} >= {"2.32", "2.33"}


def test_completion_reads_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loader, "read", None)
    monkeypatch.setattr(loader, "load", None)
    assert completion.rules("") and completion.selections("NM1") and completion.releases()
