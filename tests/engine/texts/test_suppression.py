"""Suppression comments in what is not Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_migrate.engine.work import Worker
from neuron_migrate.settings import Settings
from tests.cases import catalog

LINE = "export CUDA_VISIBLE_DEVICES=0"


def codes(text: str, *, ignore: tuple[str, ...] = ()) -> list[str]:
    worker = Worker(catalog(), Settings(root=Path(), ignore=ignore), fix=False)
    return [each.code for each in worker.result(text.encode(), "run.sh").findings]


def test_a_comment_silences_its_line_or_alone_the_next() -> None:
    assert codes(f"{LINE}\n") == ["NM801"]
    assert codes(f"{LINE}  # neuron-migrate: ignore[NM801]\n") == []
    assert codes(f"# neuron-migrate: ignore[NM801]\n{LINE}\n") == []
    assert codes(f"# neuron-migrate: ignore[NM801]\n\n{LINE}\n") == ["NM001", "NM801"]


def test_a_comment_whose_code_is_not_asked_for_is_used_all_the_same() -> None:
    assert codes(f"{LINE}  # neuron-migrate: ignore[NM801]\n", ignore=("NM801",)) == []


@pytest.mark.parametrize("word", ["ignor", "ignored", "disable=NM801", "skip"])
def test_a_comment_that_is_not_understood_is_said(word: str) -> None:
    assert codes(f"{LINE}  # neuron-migrate: {word}\n") == ["NM801", "NM001"]
