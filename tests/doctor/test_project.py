from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.doctor import project
from neuron_migrate.doctor.checks.project import checks
from neuron_migrate.settings import Settings
from tests.doctor.building import FACTS, catalog, only, release, verdicts

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.doctor.verdict import Check


def _check(folder: Path, files: dict[str, str], sdk: str = "2.33") -> list[Check]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    found = project.look([folder], catalog(sdk), Settings(root=folder))
    return list(checks(found, catalog(sdk), release(sdk), FACTS))


def test_nothing_declared(tmp_path: Path) -> None:
    assert verdicts(_check(tmp_path, {"train.py": "import torch\n"})) == {"declarations": "unknown"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements-dev.txt", "torch==2.4.0\n"),
        ("requirements/base.in", "torch<2\n"),
        ("pyproject.toml", '[project]\nname = "a"\ndependencies = ["torch==2.4.0"]\n'),
        ("setup.cfg", "[options]\ninstall_requires =\n    torch==2.4.0\n"),
        ("environment.yml", "name: a\ndependencies:\n  - pytorch=2.4\n"),
    ],
)
def test_every_kind_of_declaration(tmp_path: Path, name: str, text: str) -> None:
    found = only(_check(tmp_path, {name: text}), "NM836")
    assert found.verdict.value == "problem"
    assert f" in {name}:" in found.seen


def test_what_fits_is_said_too(tmp_path: Path) -> None:
    text = '[project]\nname = "a"\nrequires-python = ">=3.10"\ndependencies = ["torch>=2"]\n'
    found = _check(tmp_path, {"pyproject.toml": text})
    assert verdicts(found) == {"python": "ok", "torch": "ok"}
    assert only(found, "python").seen == "Python >=3.10 in pyproject.toml:3"


def test_python_that_is_too_old(tmp_path: Path) -> None:
    text = '[project]\nname = "a"\nrequires-python = ">=3.8,<3.12"\n'
    assert verdicts(_check(tmp_path, {"pyproject.toml": text})) == {"NM837": "problem"}


def test_the_same_in_many_files_is_one_line(tmp_path: Path) -> None:
    found = _check(tmp_path, {f"{name}/requirements.txt": "torch==2.4.0\n" for name in "abcde"})
    assert only(found, "NM836").seen == (
        "torch==2.4.0 in a/requirements.txt:1, b/requirements.txt:1, c/requirements.txt:1"
        " and 2 more"
    )


@pytest.mark.parametrize(
    ("torch", "plugin", "verdicts_"),
    [
        ("torch==2.13.0", "torch-neuronx==2.14.*", {"family": "problem"}),
        ("torch==2.14.0", "torch-neuronx==2.14.*", {}),
        ("torch>=2", "torch-neuronx==2.13.*", {}),
        ("torch>=2.14", "torch-neuronx<2.14,>=2.13.3", {"family": "problem"}),
    ],
)
def test_two_that_are_not_made_for_each_other(
    tmp_path: Path, torch: str, plugin: str, verdicts_: dict[str, str]
) -> None:
    found = verdicts(_check(tmp_path, {"requirements.txt": f"{torch}\n{plugin}\n"}))
    assert found == {"torch": "ok", "torch-neuronx": "ok", **verdicts_}


def test_they_may_differ_between_files(tmp_path: Path) -> None:
    files = {
        "requirements-a.txt": "torch==2.13.0\n",
        "requirements-b.txt": "torch-neuronx==2.14.*\n",
    }
    assert "family" not in verdicts(_check(tmp_path, files))


def test_indexes_are_declared_too(tmp_path: Path) -> None:
    text = "--extra-index-url https://download.pytorch.org/whl/cu121\ntorch\n"
    found = _check(tmp_path, {"requirements.txt": text})
    assert verdicts(found) == {"NM835": "note", "torch": "ok"}


def test_only_what_is_declared(tmp_path: Path) -> None:
    files = {
        "requirements.txt": "torch\n",
        "install.sh": "pip install flash-attn\n",
        ".github/workflows/ci.yml": "jobs:\n  a:\n    steps:\n      - run: pip install torch-xla\n",
        "config.yaml": "transformers: [\n",
    }
    assert verdicts(_check(tmp_path, files)) == {"torch": "ok"}


def test_other_machines_are_left_alone(tmp_path: Path) -> None:
    text = "torch==2.4.0; sys_platform == 'darwin'\ntorch>=2.13; sys_platform == 'linux'\n"
    found = _check(tmp_path, {"requirements.txt": text})
    assert only(found, "torch").seen.endswith("requirements.txt:2")
    assert verdicts(found) == {"torch": "ok"}


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    found = _check(tmp_path, {"pyproject.toml": "[project\n"})
    assert verdicts(found) == {"unread": "unknown", "declarations": "unknown"}


def test_a_comment_that_silences_a_rule(tmp_path: Path) -> None:
    found = _check(
        tmp_path, {"requirements.txt": "torch==2.4.0  # neuron-migrate: ignore[NM836]\n"}
    )
    assert verdicts(found) == {"torch": "note"}


def test_a_release_whose_matrix_is_not_known(tmp_path: Path) -> None:
    found = _check(tmp_path, {"requirements.txt": "torch==2.4.0\ntorch-xla\n"}, sdk="2.31")
    assert verdicts(found) == {"NM831": "problem"}
