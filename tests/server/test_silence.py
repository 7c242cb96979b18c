"""The comment that silences a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from neuron_migrate.api import Migrator, Settings
from neuron_migrate.engine.edits import apply
from neuron_migrate.server.silence import silencing

NOTE = "# neuron-migrate: ignore[{}]"


@pytest.fixture(scope="module")
def migrator() -> Migrator:
    return Migrator.of(Settings(root=Path()))


def silenced(migrator: Migrator, text: str, path: str) -> str | None:
    """The text with its first finding silenced."""
    finding = migrator.check_text(text, path).findings[0]
    edit = silencing(migrator, text, path, finding)
    return None if edit is None else apply(text, [edit])


PLAIN = "import torch\nx = torch.ones(1).to('cuda')"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (PLAIN, PLAIN + "  # neuron-migrate: ignore[NM101]"),
        (PLAIN + "  # why\r\n", PLAIN + "  # why  # neuron-migrate: ignore[NM101]\r\n"),
        (
            PLAIN + "  # neuron-migrate: ignore[NM2]\n",
            PLAIN + "  # neuron-migrate: ignore[NM2, NM101]\n",
        ),
        (
            "import torch\nx = g(\\\n    device='cuda', \\\n)\n",
            "import torch\nx = g(\\\n    device='cuda', \\\n)  # neuron-migrate: ignore[NM101]\n",
        ),
        (
            "import torch\nf(torch.device('cuda'), '''\n''')\n",
            "import torch\nf(torch.device('cuda'), '''\n''')  # neuron-migrate: ignore[NM101]\n",
        ),
        (
            "import torch\nf(\n    torch.device('cuda'),\n)\n",
            "import torch\nf(\n    torch.device('cuda'),  # neuron-migrate: ignore[NM101]\n)\n",
        ),
    ],
    ids=["last line", "after a comment", "one more code", "continued", "in a string", "in a call"],
)
def test_in_python(migrator: Migrator, before: str, after: str) -> None:
    assert silenced(migrator, before, "a.py") == after


@pytest.mark.parametrize(
    ("path", "line", "above"),
    [
        ("run.sh", "export CUDA_VISIBLE_DEVICES=0", False),
        ("Dockerfile", "ENV CUDA_VISIBLE_DEVICES=0", True),
        ("compose.yaml", "services:\n  a:\n    environment:\n      CUDA_VISIBLE_DEVICES: 0", False),
        ("requirements.txt", "bitsandbytes", False),
    ],
)
def test_in_other_files(migrator: Migrator, path: str, line: str, above: bool) -> None:
    code = migrator.check_text(line + "\n", path).findings[0].code
    note = NOTE.format(code)
    expected = f"{note}\n{line}\n" if above else f"{line}  {note}\n"
    assert silenced(migrator, line + "\n", path) == expected


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.ipynb", '{"nbformat": 4, "cells": [{"cell_type": "code", "source": %s}]}'),
        ("a.md", "```python\n%s\n```\n"),
    ],
)
def test_where_there_are_no_comments(migrator: Migrator, path: str, text: str) -> None:
    code = '"import torch\\ntorch.ones(1).cuda()"' if path == "a.ipynb" else PLAIN
    assert silenced(migrator, text % code, path) is None


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("run.sh", "a \\\n  && CUDA_VISIBLE_DEVICES=0 b \\\n  --c\n", None),
        (
            "run.sh",
            "CUDA_VISIBLE_DEVICES=0 b \\\n  -c\n",
            "# {}\nCUDA_VISIBLE_DEVICES=0 b \\\n  -c\n",
        ),
        (
            "b.sh",
            "export \\\n  CUDA_VISIBLE_DEVICES=0\n",
            "export \\\n  CUDA_VISIBLE_DEVICES=0  # {}\n",
        ),
        (
            "Dockerfile",
            "RUN a \\\n  && CUDA_VISIBLE_DEVICES=0 b\n",
            "RUN a \\\n  # {}\n  && CUDA_VISIBLE_DEVICES=0 b\n",
        ),
    ],
)
def test_a_continued_line_stays_one(
    migrator: Migrator, path: str, before: str, after: str | None
) -> None:
    expected = after and after.replace("# {}", NOTE.format("NM801"))
    assert silenced(migrator, before, path) == expected
