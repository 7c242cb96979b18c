from __future__ import annotations

import pytest

from neuron_migrate.engine import names
from tests.engine.building import index_of, scope_of, spot

UNRESOLVED = [
    ("x = 1", "", "torch"),
    ("torch = 1", "", "torch"),
    ("import torch\ntorch = f()", "", "torch"),
    ("import torch\ndef f(torch): pass", "f", "torch"),
    ("import torch\ndef f():\n  for torch in x: pass", "f", "torch"),
    ("import torch\ndef f():\n  with x as torch: pass", "f", "torch"),
    ("import torch\ndef f():\n  def torch(): pass", "f", "torch"),
    ("import torch\ndef f():\n  if (torch := 1): pass", "f", "torch"),
    ("import torch\nclass torch: pass", "", "torch"),
    ("if x:\n  import torch\nelse:\n  import numpy as torch", "", "torch"),
    ("class A:\n  import torch\n  def f(self): pass", "f", "torch"),
    ("a = b\nb = a", "", "a"),
    ("import torch\ndef f():\n  global torch\n  torch = None\n  torch = 1", "f", "torch"),
]
RESOLVED = [
    ("import torch", "", "torch", "torch", False),
    ("import torch as th", "", "th", "torch", False),
    ("import torch.cuda as tc", "", "tc", "torch.cuda", False),
    ("from torch.cuda.amp import autocast as ac", "", "ac", "torch.cuda.amp.autocast", False),
    ("from . import torch", "", "torch", ".torch", False),
    ("from .torch import cuda", "", "cuda", ".torch.cuda", False),
    ("import torch\ndev = torch.cuda", "", "dev", "torch.cuda", False),
    ("import torch\na = torch\nb = a.cuda\nc = b.amp", "", "c", "torch.cuda.amp", False),
    ("import torch\ndef f():\n  def g(): pass", "g", "torch", "torch", False),
    ("def f():\n  import torch\n  def g(): pass", "g", "torch", "torch", False),
    ("import torch\nclass A:\n  torch = 1\n  def f(self): pass", "f", "torch", "torch", False),
    ("class A:\n  import torch\n  x = 1", "A", "torch", "torch", False),
    ("import torch\ntorch = None", "", "torch", "torch", True),
    ("try:\n  import torch\nexcept ImportError:\n  torch = None", "", "torch", "torch", True),
    ("try:\n  import torch\nexcept ImportError:\n  torch = Fake()", "", "torch", "torch", True),
    ("try:\n  import torch\nexcept:\n  torch = 0", "", "torch", "torch", True),
    ("if x:\n  import torch\nelse:\n  torch = None", "", "torch", "torch", True),
    ("if x:\n  import torch\nelse:\n  import torch", "", "torch", "torch", False),
    ("import torch\ndef f():\n  global torch\n  import torch", "f", "torch", "torch", False),
    ("def f():\n  x = 1\n  global torch\n  import torch", "", "torch", "torch", False),
    (
        "def f():\n  import torch\n  def g():\n    nonlocal torch\n    import torch",
        "g",
        "torch",
        "torch",
        False,
    ),
]
PLACES = [
    ("import torch\ntorch.cuda.x()", "torch.cuda.x", "torch.cuda.x"),
    ("import torch\n[torch.x for torch in y]", "torch.x", ""),
    ("import torch\n{a: torch.x for a, (b, torch) in y}", "torch.x", ""),
    ("import torch\n[b for a in y for b in torch.x]", "torch.x", "torch.x"),
    ("import torch\nlambda torch: torch.x", "torch.x", ""),
    ("import torch\nlambda torch, /: torch.x", "torch.x", ""),
    ("import torch\nlambda *torch: torch.x", "torch.x", ""),
    ("import torch\nlambda **torch: torch.x", "torch.x", ""),
    ("import torch\nlambda *, torch=1: torch.x", "torch.x", ""),
    ("import torch\nlambda *, a: torch.x", "torch.x", "torch.x"),
    ("import torch\nf().torch.x", "f().torch.x", ""),
    ("from torch import *\ntorch.x", "torch.x", "torch.x"),
    ("from torch import *\ntorch = 1\ntorch.x", "torch.x", ""),
    ("import torch\nf'{torch.x}'", "torch.x", "torch.x"),
    ("import torch\n@torch.x\ndef f(): pass", "torch.x", "torch.x"),
    ("import torch\ndef f(torch, a=torch.x): pass", "torch.x", "torch.x"),
    ("import torch\nasync def f(): await torch.x()", "torch.x", "torch.x"),
    ("import torch\ntry: pass\nexcept torch.x: pass", "torch.x", "torch.x"),
    ("import torch\nmatch a:\n case torch.x: pass", "torch.x", "torch.x"),
    ("import torch\nmatch a:\n case b if torch.x: pass", "torch.x", "torch.x"),
]


@pytest.mark.parametrize(("text", "scope", "name"), UNRESOLVED)
def test_not_surely_an_import(text: str, scope: str, name: str) -> None:
    assert names.resolve(name, scope_of(index_of(text), scope)) is None


@pytest.mark.parametrize(("text", "scope", "name", "path", "guarded"), RESOLVED)
def test_resolved(text: str, scope: str, name: str, path: str, guarded: bool) -> None:
    found = names.resolve(name, scope_of(index_of(text), scope))
    assert found is not None
    assert (found.path, found.guarded) == (path, guarded)


@pytest.mark.parametrize(("text", "source", "path"), PLACES)
def test_resolved_where_it_stands(text: str, source: str, path: str) -> None:
    node, here = spot(text, source)
    assert here.path(node) == path
