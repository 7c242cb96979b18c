"""Where a string is a device, seen through a rule that only speaks about such places."""

from __future__ import annotations

import pytest

from tests.engine.building import DEVICE, fixed, found

NOT_A_DEVICE = [
    "x = 'cuda'",
    "f('cuda')",
    "print('cuda')",
    "logger.info('cuda')",
    "raise ValueError('cuda')",
    "assert x, 'cuda'",
    "'cuda'",
    "def f():\n    'cuda'",
    "parser.add_argument('--cuda', help='cuda')",
    "parser.add_argument('--impl', default='cuda')",
    "parser.add_argument('--impl', choices=['cuda', 'cpu'])",
    "{'cuda': 1}",
    "x['cuda']",
    "x = {'device': {'cuda': 1}}",
    "impl == 'cuda'",
    "x.startswith('cuda')",
    "x = f'use {y} on cuda'",
    "x = 'cuda_available'",
    "x.to(b'cuda')",
    "warn('cuda', device=x)",
    "def f(impl='cuda'): pass",
    "def f():\n    return 'cuda'",
    "x = []\nfor name in ['cuda', 'cpu']: pass",
    "lambda: 'cuda'",
    "# device = 'cuda'\nx = 1",
    "a = 'cuda'\nb = a\nprint(b)",
    "device, impl = x, 'cuda'",
    "a, b = 'cuda', 1\nx.to(b)",
]
A_DEVICE = [
    "x.to('cuda')",
    "x.to(r'cuda')",
    "x.to(dtype, device='cuda')",
    "f(device='cuda')",
    "torch.device('cuda')",
    "device = 'cuda'",
    "self.device = 'cuda'",
    "args.model_device = 'cuda'",
    "DEVICE: str = 'cuda'",
    "cfg['device'] = 'cuda'",
    "x = {'device': 'cuda'}",
    "x = dict(device='cuda')",
    "device, y = 'cuda', 1",
    "device = y or 'cuda'",
    "device = 'cuda' if y else 'cpu'",
    "device = y if z else 'cuda'",
    "(device := 'cuda')",
    "def f(device='cuda'): pass",
    "def f(*, device: str = 'cuda'): pass",
    "f = lambda device='cuda': 1",
    "def get_device():\n    return 'cuda'",
    "def f() -> torch.device:\n    return 'cuda'",
    "async def f():\n    await g(device='cuda')",
    "class A:\n    device: str = 'cuda'",
    "if device == 'cuda': pass",
    "if 'cuda' != device: pass",
    "if x.device.type == 'cuda': pass",
    "if 'cuda' in device: pass",
    "if 'cuda' in str(device): pass",
    "if device in ('cpu', 'cuda'): pass",
    "if device.startswith('cuda'): pass",
    "if args.device.lower() == 'cuda': pass",
    "if cfg['device'] == 'cuda': pass",
    "x = [y.to('cuda') for y in z]",
    "x = map(lambda t: t.to('cuda'), y)",
    "print(x.to('cuda'))",
    "with torch.device('cuda'): pass",
    "@f(device='cuda')\ndef g(): pass",
    "f(**{'device': 'cuda'})",
    "parser.add_argument('--device', default='cuda')",
    "a = 'cuda'\nx.to(a)",
    "a = 'cuda'\nb = a\nx.to(b)",
    "a, b = 'cuda', 1\nx.to(a)",
    "[a, device] = 1, 'cuda'",
    "a, *device = 1, 'cuda'",
    "def f(a='cuda'):\n    x.to(a)",
    "def f(x, device): pass\nf(y, 'cuda')",
    "for device in ['cpu', 'cuda']: pass",
    "x.to(device=('cuda'))",
    "os.environ.get('DEVICE', 'cuda')",
    "getattr(args, 'device', 'cuda')",
]


@pytest.mark.parametrize("code", NOT_A_DEVICE)
def test_no_device(code: str) -> None:
    assert found(f"import torch\n{code}\n", DEVICE) == []


@pytest.mark.parametrize("code", A_DEVICE)
def test_a_device(code: str) -> None:
    text = f"import torch\n{code}\n"
    assert len(found(text, DEVICE)) == 1
    assert fixed(text, DEVICE) == text.replace("cuda", "neuron")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_flow_across_lines(newline: str) -> None:
    text = "import torch\na = 'cuda'\n\n\ndef f(x):\n    return x.to(a)\n".replace("\n", newline)
    assert fixed(text, DEVICE) == text.replace("cuda", "neuron")


def test_a_name_that_leads_back_to_itself() -> None:
    assert found("a = 'cuda'\na = a\nb = a\na = b\n", DEVICE) == []


def test_a_local_name_is_not_the_one_outside() -> None:
    text = "import torch\na = 'cuda'\ndef f(a):\n    x.to(a)\n"
    assert found(text, DEVICE) == []
