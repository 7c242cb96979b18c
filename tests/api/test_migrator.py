"""The tool as a library."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_migrate.api import Migrator, Risk, Settings, UsageError
from neuron_migrate.apply import undo

CUDA = 'import torch\n\nmodel = torch.nn.Linear(2, 2).to("cuda")\n'
NEURON = CUDA.replace("cuda", "neuron")


@pytest.fixture
def migrator(tmp_path: Path) -> Migrator:
    return Migrator.of(Settings(root=tmp_path, cache=False))


def test_a_text_is_checked(migrator: Migrator) -> None:
    result = migrator.check_text(CUDA, "train.py")
    [finding] = result.findings
    assert (finding.code, finding.line, finding.risk) == ("NM101", 3, Risk.BREAKS)
    assert result.fixed is None


def test_a_text_is_fixed(migrator: Migrator) -> None:
    result = migrator.fix_text(CUDA, "train.py")
    assert (result.fixed, result.left, result.applied) == (NEURON, (), 1)


def test_the_path_says_what_kind_of_text_it_is(migrator: Migrator) -> None:
    result = migrator.fix_text("ENV CUDA_VISIBLE_DEVICES=0\n", "Dockerfile")
    assert [finding.family for finding in result.findings] == ["environment"]


def test_text_and_bytes_give_the_same(migrator: Migrator) -> None:
    assert migrator.fix_text(CUDA, "a.py") == migrator.fix_text(CUDA.encode(), "a.py")


def test_a_cookie_in_decoded_text_says_nothing_any_more(migrator: Migrator) -> None:
    text = "# coding: latin-1\n" + CUDA + 'print("→")\n'
    assert migrator.fix_text(text, "a.py").fixed == text.replace("cuda", "neuron")


def test_a_byte_order_mark_is_not_part_of_the_text(migrator: Migrator) -> None:
    assert migrator.fix_text("\ufeff" + CUDA, "a.py").fixed == NEURON


@pytest.mark.parametrize("text", ["x = torch.cuda(\n", "\0torch.cuda", CUDA + "\ud800"])
def test_a_text_that_cannot_be_read_is_a_finding(migrator: Migrator, text: str) -> None:
    result = migrator.fix_text(text, "a.py")
    assert result.failed
    assert [finding.code for finding in result.findings] == ["NM000"]
    assert "internal error" not in result.findings[0].message


def test_files_are_fixed_and_restored(migrator: Migrator, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CUDA)
    (tmp_path / "b.py").write_text("print(1)\n")
    run = migrator.fix([tmp_path])
    assert [result.path for result in run.results] == ["a.py", "b.py"]
    assert run.plan().diff().startswith(b"diff --git a/a.py b/a.py\n")
    assert (tmp_path / "a.py").read_text() == CUDA

    outcome = run.apply()
    assert (outcome.applied.fixes, outcome.problems) == (1, [])
    assert (tmp_path / "a.py").read_text() == NEURON

    undo.undo(tmp_path)
    assert (tmp_path / "a.py").read_text() == CUDA


def test_a_check_plans_nothing(migrator: Migrator, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(CUDA)
    run = migrator.check([tmp_path])
    assert [finding.code for finding in run.findings()] == ["NM101"]
    assert run.summary().verdict == "auto"
    assert run.plan().changes == []


def test_the_configuration_of_the_folder_holds(tmp_path: Path) -> None:
    (tmp_path / "neuron-migrate.toml").write_text('target = "accelerator"\nignore = ["NM2"]\n')
    inner = tmp_path / "src"
    inner.mkdir()
    migrator = Migrator.configured(inner)
    assert migrator.settings.root == tmp_path
    assert migrator.settings.target == "accelerator"


def test_what_is_given_wins_over_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "neuron-migrate.toml").write_text('target = "accelerator"\nignore = ["NM2"]\n')
    settings = Migrator.configured(tmp_path, target="neuron", ignore=[], unsafe=True).settings
    assert (settings.target, settings.ignore, settings.unsafe) == ("neuron", (), True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"select": ["NM17x"]}, "select: no rule has the code or prefix 'NM17x'"),
        ({"sdk": "1.0"}, "sdk: '1.0' is not a release that is known"),
        ({"config": Path("none.toml")}, "none.toml: cannot read"),
    ],
)
def test_a_mistake_is_a_usage_error(tmp_path: Path, given: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Migrator.configured(tmp_path, **given)  # type: ignore[arg-type]


def test_a_path_that_is_not_there_is_a_usage_error(migrator: Migrator, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        migrator.check([tmp_path / "none"])
