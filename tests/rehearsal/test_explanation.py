"""Why a program stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.api import Migrator
from neuron_migrate.catalog import rehearsal as facts
from neuron_migrate.rehearsal.explanation import Explainer
from neuron_migrate.rehearse.recording import Frame, Line
from tests.rehearsal.factory import raised

if TYPE_CHECKING:
    from pathlib import Path

    from neuron_migrate.rehearsal.model import Explanation

NO_CUDA = "Torch not compiled with CUDA enabled"


@pytest.fixture(scope="module")
def migrator() -> Migrator:
    return Migrator.configured()


def explain(
    migrator: Migrator, folder: Path, source: str, line: int, exception: str, message: str
) -> tuple[Explanation, ...]:
    program = folder / "program.py"
    program.write_text(source)
    own = Frame(Line(str(program), line), source, True)
    library = Frame(Line("/lib/torch/cuda.py", 1), "raise", False)
    outcome = raised(exception, message, own, library)
    return Explainer(migrator, facts.load().exceptions).explain(outcome)


def test_the_finding_at_the_line(migrator: Migrator, tmp_path: Path) -> None:
    source = 'import torch\nx = torch.ones(1, device="cuda")\nmodel.cuda()\n'
    (found,) = explain(migrator, tmp_path, source, 3, "AssertionError", NO_CUDA)
    assert (found.code, found.place and found.place.line, found.fix) == ("NM103", 3, "safe")
    assert found.sources


def test_a_finding_that_says_something_else_does_not_explain(
    migrator: Migrator, tmp_path: Path
) -> None:
    """The rules about the message are named instead."""
    source = "import torch\nx = build().is_cuda\n"
    found = explain(migrator, tmp_path, source, 2, "AssertionError", NO_CUDA)
    assert [(each.code, each.place) for each in found][:2] == [("NM101", None), ("NM103", None)]


def test_a_code_of_the_compiler(migrator: Migrator, tmp_path: Path) -> None:
    message = "[NCC_EVRF035] no integer products"
    (found,) = explain(migrator, tmp_path, "x\n", 1, "RuntimeError", message)
    assert found.code == "NM902"


def test_a_fact_without_a_rule(migrator: Migrator, tmp_path: Path) -> None:
    message = "Expected all tensors to be on the same device, but found two: neuron:0 and cpu"
    (found,) = explain(migrator, tmp_path, "y = x + z\n", 1, "RuntimeError", message)
    assert (found.code, found.sources != ()) == ("", True)


def test_what_no_rule_explains(migrator: Migrator, tmp_path: Path) -> None:
    assert explain(migrator, tmp_path, "x = 1 / 0\n", 1, "ZeroDivisionError", "by zero") == ()


def test_a_file_that_is_gone(migrator: Migrator) -> None:
    gone = Frame(Line("/gone/away.py", 1), "x", True)
    explainer = Explainer(migrator, facts.load().exceptions)
    assert explainer.explain(raised("ValueError", "no", gone)) == ()
