"""What kind of value an expression visibly is."""

from __future__ import annotations

import ast

import libcst as cst
import pytest

from neuron_migrate.engine.file import File
from neuron_migrate.engine.here import Here
from neuron_migrate.engine.index import build
from neuron_migrate.engine.visible import Kind, Value, is_visibly, value_of
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


def value(text: str, *, trusting: bool = False) -> Value | None:
    """What the argument of the call that ends a text visibly is."""
    text = f"import torch\n{text}\n"
    lines = Lines(text)
    file = File(text, "x.py", lines, build(ast.parse(text), lines, text), "neuron")
    piece = file.pieces(file.index.statements[-1])[0]
    call = next(node for node in piece.nodes if isinstance(node, cst.Call))
    return value_of(call.args[0].value, Here(file, piece), trusting=trusting)


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("use(x.argmax(dim=-1))", "int64"),
        ("use(x.topk(3)[1])", "int64"),
        ("use(x.max(1, keepdim=True).indices)", "int64"),
        ("_, best = torch.max(x, 1)\nuse(best)", "int64"),
        ("use(torch.ones_like(x.long()))", "int64"),
        ("use(x.long() * 2)", "int64"),
        ("use(x.long() / 2)", "float32"),
        ("use(x.long() + 0.5)", "float32"),
        ("use(x.bool().sum())", "int64"),
        ("use(x.bool().float().mean())", "float32"),
        ("use(x.view(torch.uint8))", "uint8"),
        ("use(torch.isnan(x))", "bool"),
        ("use(~(x.float() > 0))", "bool"),
        ("use(torch.arange(x.size(0)))", "int64"),
        ("use(torch.arange(len(x)) / 8)", "float32"),
        ("use(2 * 3)", "int"),
        ("use(1j)", "complex"),
        ("n = x.long()\nn = n.to(device)\nn += 1\nuse(n)", "int64"),
        ("n = x.long()\nn = x.float()\nuse(n)", "float32"),
        ("def f(x: torch.LongTensor):\n    use(x)", "int64"),
        ("def f(x: 'torch.BoolTensor | None' = None):\n    use(x)", "bool"),
        ("from typing import Optional\ndef f(x: Optional[torch.IntTensor]):\n    use(x)", "int32"),
        ("from jaxtyping import Bool\ndef f(x: Bool[torch.Tensor, 'n']):\n    use(x)", "bool"),
        ("for i in range(3):\n    use(i)", "int"),
    ],
)
def test_dtype(text: str, dtype: str) -> None:
    found = value(text)
    assert found is not None
    assert found.dtypes == {dtype}


@pytest.mark.parametrize(
    "text",
    [
        "use(x > 0)",
        "import numpy as np\nuse(np.zeros(3))",
        "use(x.sum())",
        "use(x['a'])",
        "use(mode == 'train')",
        "use(x is None)",
        "for x in rows:\n    use(x)",
        "def f(x: list):\n    use(x)",
        "n = x.long()\nuse([n for n in rows][0])",
        "use(x.long().tolist())",
    ],
)
def test_no_visible_value(text: str) -> None:
    assert value("import numpy\n" + text) is None


@pytest.mark.parametrize(
    "text",
    [
        "use(y.unsqueeze(0))",
        "if a:\n    n = x.long()\nelse:\n    n = x.float()\nuse(n.to(other))",
        "n = x.long()\nfor i in range(3):\n    m = n\n    n = y.detach()\nuse(m)",
        "use(torch.zeros(2, dtype=x.dtype))",
    ],
)
def test_a_tensor_of_unknown_dtype(text: str) -> None:
    found = value(text)
    assert found is not None
    assert found.is_tensor
    assert not found.dtypes


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("use(torch.zeros(2))", "cpu"),
        ("use(torch.zeros(2, device='cpu'))", "cpu"),
        ("use(torch.zeros(2, device=device))", "device"),
        ("use(torch.zeros(2).to(device))", "device"),
        ("use(x.cuda())", "device"),
        ("use(x.detach().cpu())", "cpu"),
        ("use(x.to('cpu'))", "cpu"),
        ("use(torch.zeros_like(y.detach()))", "unknown"),
        ("torch.set_default_device('neuron')\nuse(torch.zeros(2))", "unknown"),
        ("use(torch.zeros(2) + torch.ones(2))", "cpu"),
        ("use(torch.zeros(2) + y.detach())", "unknown"),
        ("n = torch.zeros(2)\nif a:\n    n = n.to(device)\nuse(n)", "unknown"),
    ],
)
def test_place(text: str, place: str) -> None:
    found = value(text)
    assert found is not None
    assert found.place == place


def test_what_is_compared_where_only_tensors_stand() -> None:
    found = value("import numpy\nuse(x > 0)", trusting=True)
    assert found is not None
    assert found.dtypes == {"bool"}


def test_device_count_by_one_of_several_assignments() -> None:
    text = "n = 1\nif multi:\n    n = torch.cuda.device_count()\nuse(n)"
    assert visibly("device-count", text)
    assert not visibly("device-count", "n = 1\nuse(n)")


def test_cuda_source() -> None:
    assert visibly("cuda-source", "use(['a.cpp', 'b.cu'])")
    assert not visibly("cuda-source", "use(['a.cpp'])")
