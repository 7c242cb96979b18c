"""Notebooks from the command line: what is shown, what is written, and the way back."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest

from neuron_migrate.cli import app
from tests.engine.notebooks.building import document

pytest.importorskip("neuron_migrate.engine.run")

if TYPE_CHECKING:
    from pathlib import Path

    Capture = pytest.CaptureFixture[bytes]

NOTEBOOK = document("import torch\n", "x = 1\ny = torch.ones(1).cuda()", "x\n").encode() + b"\r\n"
BY_CELL = b"""a.ipynb, cell 2
@@ -1,2 +1,2 @@
 x = 1
-y = torch.ones(1).cuda()
+y = torch.ones(1).to("neuron")
"""


@pytest.fixture
def notebook(project: Path) -> Path:
    file = project / "a.ipynb"
    file.write_bytes(NOTEBOOK)
    return file


def test_the_diff_is_of_code(notebook: Path, capfdbinary: Capture) -> None:
    assert app.run(["fix", "--quiet"]) == 1
    out = capfdbinary.readouterr().out
    assert BY_CELL in out
    assert b"cell_type" not in out
    assert notebook.read_bytes() == NOTEBOOK


def test_the_patch_is_of_the_file(notebook: Path, project: Path, capfdbinary: Capture) -> None:
    assert app.run(["fix", "--patch", "a.patch"]) == 1
    assert app.run(["fix", "--apply"]) == 0
    after = notebook.read_bytes()
    assert after == NOTEBOOK.replace(b".cuda()", rb".to(\"neuron\")")
    for reverse, state in (["--reverse"], NOTEBOOK), ([], after):
        command = ["git", "-c", "core.autocrlf=false", "apply", *reverse, "a.patch"]
        subprocess.run(command, cwd=project, check=True)
        assert notebook.read_bytes() == state
    assert app.run(["undo"]) == 0
    assert notebook.read_bytes() == NOTEBOOK
    capfdbinary.readouterr()


def test_places_name_the_cell(notebook: Path, capfdbinary: Capture) -> None:
    assert app.run(["check", "--output-format", "concise", "--quiet"]) == 1
    assert capfdbinary.readouterr().out.startswith(b"a.ipynb:cell 2:2:19: NM103 [*]")
    assert app.run(["check", "--output-format", "json"]) == 1
    [finding] = json.loads(capfdbinary.readouterr().out)["findings"]
    assert (finding["cell"], finding["line"], finding["column"]) == (2, 2, 19)


def test_a_cell_that_is_no_python(notebook: Path, capfdbinary: Capture) -> None:
    notebook.write_text(document("import torch\nx = torch.ones(1).cuda()", "x y"))
    assert app.run(["fix", "--apply", "--exit-zero"]) == 1
    out = capfdbinary.readouterr().out
    assert b"cell 2:1:" in out
    assert rb".to(\"neuron\")" in notebook.read_bytes()
