"""Which blocks of a document make one program."""

from __future__ import annotations

import pytest

from neuron_migrate.engine.markup.programs import assumed, programs


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        (["a = 1", "b = 2"], [[0, 1]]),
        (["import a", "a.b"], [[0, 1]]),
        (["import a\na.b", "import c\nc.d"], [[0], [1]]),
        (["import a", "import b\nb.c", "b.d"], [[0], [1, 2]]),
        (["import a", "import b\nb.c", "a.d"], [[0, 1, 2]]),
        (["import a", "import b\nb.c(a)", "b.d"], [[0, 1, 2]]),
        (["import a\nx = 1", "import a\nx = 2", "a.b(x)"], [[0], [1, 2]]),
        (["from a import *", "import b\nb.c"], [[0, 1]]),
        (["import a", "import b\nmodel(b)"], [[0], [1]]),
        ([], []),
    ],
)
def test_programs(codes: list[str], expected: list[list[int]]) -> None:
    assert programs([(number, code) for number, code in enumerate(codes)]) == expected


@pytest.mark.parametrize(
    ("codes", "line"),
    [
        (["torch.ones(1)"], "import torch"),
        (["import torch", "torch.ones(1)"], ""),
        (["torch = 1\ntorch"], ""),
        (["x"], ""),
    ],
)
def test_the_import_that_is_left_out(codes: list[str], line: str) -> None:
    assert assumed(codes) == line
