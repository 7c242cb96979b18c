"""A suppression is of use when it silences a finding of either target."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.api import Migrator, Settings

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.finding import Target

PYTHON = "import torch\ntorch.cuda.set_device('cuda:1')  # noqa: NM106, NM101, NM507\n"
OF_ONE = "import torch\ntorch.neuron.set_device(f'neuron:{rank}')  # noqa: NM507\n"
UNUSED = "import torch\nx = 1  # noqa: NM507\n"


@pytest.mark.parametrize("target", ["neuron", "accelerator"])
@pytest.mark.parametrize(("text", "expected"), [(PYTHON, []), (OF_ONE, []), (UNUSED, ["NM001"])])
def test_in_python(tmp_path: Path, target: Target, text: str, expected: list[str]) -> None:
    migrator = Migrator.of(Settings(root=tmp_path, target=target))
    assert [each.code for each in migrator.check_text(text, "a.py").findings] == expected


@pytest.mark.parametrize("target", ["neuron", "accelerator"])
def test_in_a_configuration(tmp_path: Path, target: Target) -> None:
    text = "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU  # noqa: NM860\n"
    migrator = Migrator.of(Settings(root=tmp_path, target=target))
    assert migrator.check_text(text, "accelerate.yaml").findings == ()
