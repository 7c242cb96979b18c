"""Which objects a file shows to be torch modules."""

from __future__ import annotations

import libcst as cst
import pytest

from neuron_migrate.engine import torch_modules
from tests.engine.building import spot

MODULES = [
    "m = nn.Linear(1, 1)\nm.compile()",
    "m = nn.Linear(1, 1).to(d).eval()\nm.compile()",
    "m = torch.nn.Sequential()\nm = m.to(d)\nm.compile()",
    "m = AutoModel.from_pretrained(p)\nm.compile()",
    "def f(m: nn.Module):\n    m.compile()",
    "class Net(nn.Module): pass\nm = Net()\nm.compile()",
    "class Base(nn.Module): pass\nclass Net(Base): pass\nm = Net()\nm.compile()",
]
OTHERS = [
    "m.compile()",
    "m = build()\nm.compile()",
    "m = nn.Parameter(x)\nm.compile()",
    "m = AutoConfig.from_pretrained(p)\nm.compile()",
    "def f(m):\n    m.compile()",
    "class Net: pass\nm = Net()\nm.compile()",
    "m = m.to(d)\nm.compile()",
]
IMPORTS = "import torch\nfrom torch import nn\nfrom transformers import AutoConfig, AutoModel\n"


@pytest.mark.parametrize("text", MODULES)
def test_shown(text: str) -> None:
    assert _is_module(text)


@pytest.mark.parametrize("text", OTHERS)
def test_not_shown(text: str) -> None:
    assert not _is_module(text)


def test_self_is_what_its_class_is() -> None:
    method = "    def f(self):\n        self.compile()\n"
    assert _is_module(f"class Net(nn.Module):\n{method}", "self.compile")
    assert not _is_module(f"class Net:\n{method}", "self.compile")


def _is_module(text: str, source: str = "m.compile") -> bool:
    node, here = spot(f"{IMPORTS}{text}\n", source)
    assert isinstance(node, cst.Attribute)
    return torch_modules.is_module(node.value, here)
