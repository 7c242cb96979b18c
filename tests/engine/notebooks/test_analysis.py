from __future__ import annotations

import pytest

from tests.engine.notebooks.building import after, fixed, listed

IMPORT = "from torch.cuda.amp import autocast\n"
USE = "with autocast():\n    pass"
FIXED = 'with torch.autocast("neuron", dtype=torch.bfloat16):\n    pass'


def test_a_name_of_one_cell_in_another() -> None:
    code = ("import torch\n", "x = torch.ones(1)", "y = x.cuda()")
    assert listed(*code) == [(3, 1, "NM103")]
    assert after(*code)[2] == 'y = x.to("neuron")'


@pytest.mark.parametrize(
    ("above", "cell"),
    [
        ("%%bash\nls\n", IMPORT),
        ("%%html\n<b>\n", IMPORT),
        ("x y\n", IMPORT),
        ("    x = 1\n", IMPORT),
        ("", IMPORT),
        ("%%bash\nls\n", f"%%time\n{IMPORT}"),
        ("%%bash\nls\n", f"#@title A\n%%capture\n{IMPORT}"),
    ],
)
def test_an_import_is_added_to_a_cell_of_python(above: str, cell: str) -> None:
    first, second, third = after(above, cell, USE)
    assert first == above
    assert second == cell.replace(IMPORT, "import torch\n")
    assert third == FIXED


def test_a_line_between_two_cells_goes_to_the_first() -> None:
    found = after("import os\n", f"{IMPORT}y = 1\n", USE)
    assert found == ["import os\nimport torch\n", "y = 1\n", FIXED]
    found = after("import os", f"{IMPORT}y = 1\n", USE)
    assert found == ["import os\nimport torch", "y = 1\n", FIXED]


def test_a_cell_that_is_no_python_fails_alone() -> None:
    done = fixed("import torch\nx = torch.ones(1).cuda()\n", "x =\n", "y = x.cuda()\nz z")
    assert [(each.cell, each.line, each.code) for each in done.first] == [
        (1, 2, "NM103"),
        (2, 1, "NM000"),
        (3, 2, "NM000"),
    ]
    assert done.first[1].not_fixed == "the cell has a syntax error: invalid syntax"


@pytest.mark.parametrize("source", ["x = '\x00'", "x = '\ud83d'", "\ufeffx = 1", "x = 1 \\"])
def test_odd_characters(source: str) -> None:
    first, second = "import torch\n", "y = torch.ones(1).cuda()"
    found = listed(first, source, second)
    assert found in ([(3, 1, "NM103")], [(2, 1, "NM000"), (3, 1, "NM103")])


def test_comments_speak_of_python_and_of_the_shell() -> None:
    assert listed("# neuron-migrate: ignore-file\nx = 1", "!nvidia-smi") == []
    assert listed("# neuron-migrate: ignore[NM805]\n!nvidia-smi\n!nvidia-smi") == [(1, 3, "NM805")]
    assert listed("!nvidia-smi  # neuron-migrate: ignore\n") == []
    assert listed("x = 1  # neuron-migrate: ignore[NM805]\n!ls") == [(1, 1, "NM001")]
    assert listed("!ls  # neuron-migrate: ignore[NM805]") == [(1, 1, "NM001")]


def test_a_value_of_python_in_a_command() -> None:
    assert listed('!CUDA_VISIBLE_DEVICES={",".join(a)} python b.py') == [(1, 1, "NM801")]
    [finding] = fixed("!CUDA_VISIBLE_DEVICES={a} python b.py").first
    assert finding.fix == "unsafe"


def test_a_fix_within_a_cell_of_indented_lines() -> None:
    code = "    import torch\n    x = torch.ones(1).cuda()\n"
    assert after(code) == [code.replace("cuda()", 'to("neuron")')]


def test_many_edits_of_one_cell() -> None:
    code = "import torch\n" + "x = torch.ones(1).cuda()\n" * 300
    assert after(code) == [code.replace("cuda()", 'to("neuron")')]
