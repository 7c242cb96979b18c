"""What kind of value an expression visibly is."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from neuron_migrate.engine.file import File
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.index import build
from neuron_migrate.engine.visible import Kind, is_visibly
from neuron_migrate.files.lines import Lines


def visibly(kind: Kind, text: str) -> bool:
    """Whether the argument of the call that ends a text is of a kind."""
    text = f"import torch\n{text}\n"
    lines = Lines(text)
    file = File(text, "x.py", lines, build(ast.parse(text), lines, text), "neuron")
    piece = file.pieces(file.index.statements[-1])[0]
    call = next(node for node in piece.nodes if isinstance(node, cst.Call))
    return is_visibly(kind, call.args[0].value, Here(file, piece))


@pytest.mark.parametrize(
    "text",
    [
        "use('a')",
        "use(f'a{b}')",
        "use('a:%d' % b)",
        "use('a:{}'.format(b))",
        "use(str(b))",
        "use('a' if b else 'c')",
        "d = f'a{b}'\nuse(d)",
    ],
)
def test_text(text: str) -> None:
    assert visibly("text", text)


@pytest.mark.parametrize(
    "text", ["use(0)", "use(b)", "d = 'a'\nd = 1\nuse(d)", "use(torch.device('a'))"]
)
def test_not_text(text: str) -> None:
    assert not visibly("text", text)


@pytest.mark.parametrize(
    "text",
    [
        "use(torch.tensor([1, 2]))",
        "use(torch.tensor(n, dtype=torch.int64))",
        "use(torch.zeros(2, dtype=torch.long).to(device))",
        "use(torch.LongTensor([1]))",
        "use(x.long())",
        "use(x.to(torch.int32))",
        "use((x == y).sum())",
        "use(x.eq(y).sum())",
        "n = torch.arange(3)\nuse(n)",
    ],
)
def test_integer_tensor(text: str) -> None:
    assert visibly("integer-tensor", text)


@pytest.mark.parametrize(
    "text",
    [
        "use(x)",
        "use(torch.tensor([1.0]))",
        "use(torch.tensor([1], dtype=torch.float32))",
        "use(torch.zeros(2))",
        "use(x.long().float())",
        "n = torch.arange(3)\nn = n.float()\nuse(n)",
    ],
)
def test_not_integer_tensor(text: str) -> None:
    assert not visibly("integer-tensor", text)


def test_device_count_by_one_of_several_assignments() -> None:
    text = "n = 1\nif multi:\n    n = torch.cuda.device_count()\nuse(n)"
    assert visibly("device-count", text)
    assert not visibly("device-count", "n = 1\nuse(n)")


def test_cuda_source() -> None:
    assert visibly("cuda-source", "use(['a.cpp', 'b.cu'])")
    assert not visibly("cuda-source", "use(['a.cpp'])")
