"""The device behaves as torch's devices do: each program asserts it of itself."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.rehearse.conftest import Run

START = """
import contextlib, copy, importlib.util, io, pickle
import torch
from torch import nn
from torch.nn import functional as F

@contextlib.contextmanager
def raises(kind, text):
    try:
        yield
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no {kind.__name__}")

def numbers(*size):
    return torch.arange(torch.Size(size).numel(), dtype=torch.float32).reshape(size)

"""

PROGRAMS = {
    "where tensors are": """
        x = torch.tensor([1.0, 2.0], device="neuron")
        assert str(x.device) == "neuron:0" and x.is_neuron and not x.is_cuda and not x.is_cpu
        assert torch.ones(2).neuron().device == torch.zeros(2, device="neuron:0").device
        assert numbers(2).to(x).device == x.device == x.new_zeros(3).device
        assert torch.randn_like(x).device == x.device == torch.arange(3, device="neuron").device
        assert type(x) is torch.Tensor and type(nn.Linear(2, 2).to("neuron").bias) is nn.Parameter
    """,
    "views share memory": """
        x = numbers(2, 3).to("neuron")
        x[0].add_(1)
        x.t()[2, 1] = 50
        x.view(-1)[3:5].mul_(2)
        x.data.sub_(1)
        x.detach()[0, 0] = -7
        assert x.tolist() == [[-7, 1, 2], [5, 7, 49]]
        x[x > 6] = 0
        assert x.untyped_storage().data_ptr() == x.T.untyped_storage().data_ptr()
        y = torch.empty(0, device="neuron").set_(x)
        y.fill_(2)
        assert x.cpu().eq(2).all() and x.view(torch.int32).shape == (2, 3)
    """,
    "sizes change in place": """
        x = numbers(6).to("neuron")
        assert x.resize_(2, 3).tolist() == numbers(2, 3).tolist()
        assert x.t_().shape == (3, 2) and x.unsqueeze_(0).shape == (1, 3, 2)
        x.resize_(20)
        out = torch.empty(0, device="neuron")
        torch.add(numbers(3).to("neuron"), 1, out=out)
        assert out.tolist() == [1, 2, 3]
        storage = torch.ones(4, device="neuron").untyped_storage()
        size = storage.nbytes()
        storage.resize_(0)
        assert storage.nbytes() == 0
        storage.resize_(size)
        assert storage.nbytes() == size
    """,
    "what is mixed and what is not": """
        x = numbers(3).to("neuron")
        assert (x * torch.tensor(2.0)).tolist() == [0, 2, 4]
        assert x[torch.tensor([2, 0])].tolist() == [2, 0]
        for wrong in (lambda: x + numbers(3), lambda: F.linear(x, numbers(2, 3))):
            with raises(RuntimeError, "at least two devices, neuron:0 and cpu!"):
                wrong()
        with raises(RuntimeError, "neuron:0 and neuron:1!"):
            x + x.to("neuron:1")
        if importlib.util.find_spec("numpy"):
            with raises(TypeError, "can't convert neuron:0 device type tensor to numpy"):
                x.numpy()
        with raises(RuntimeError, "Expected a 'neuron' device type for generator"):
            torch.randn(2, device="neuron", generator=torch.Generator())
        with raises(RuntimeError, "Invalid device index 2"):
            torch.zeros(1, device="neuron:2")
    """,
    "sparse tensors are refused": """
        x, at = torch.eye(3), torch.tensor([[0], [1]])
        for wrong in (
            lambda: x.to_sparse().to("neuron"),
            lambda: x.neuron().to_sparse(),
            lambda: x.neuron().to_sparse_csr(),
            lambda: torch.sparse_coo_tensor(at, torch.ones(1), (2, 2), device="neuron"),
            lambda: torch.zeros(2, device="neuron", layout=torch.sparse_coo),
        ):
            with raises(NotImplementedError, "explain NM945"):
                wrong()
    """,
    "CUDA is not there": """
        assert not torch.cuda.is_available() and torch.cuda.device_count() == 0
        for wrong in (numbers(2).cuda, lambda: torch.zeros(2, device="cuda"), nn.Linear(1, 1).cuda):
            with raises(Exception, "CUDA" if torch.version.cuda is None else "NVIDIA"):
                wrong()
    """,
    "copies and checkpoints": """
        model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2)).to("neuron")
        twin = copy.deepcopy(model)
        assert twin[0].weight.device.type == "neuron" and isinstance(twin[0].weight, nn.Parameter)
        assert twin[0].weight is not model[0].weight
        assert pickle.loads(pickle.dumps(numbers(2).neuron())).tolist() == [0, 1]
        file = io.BytesIO()
        torch.save({"model": model.state_dict(), "rng": torch.neuron.get_rng_state()}, file)
        for location, device in (
            (None, "neuron:0"), ("cpu", "cpu"), ("neuron", "neuron:0"), ("neuron:1", "neuron:1"),
            (torch.device("neuron"), "neuron:0"), (lambda storage, _: storage, "cpu"),
        ):
            file.seek(0)
            loaded = torch.load(file, map_location=location)["model"]
            assert str(loaded["0.weight"].device) == device, (location, device)
            assert loaded["0.weight"].cpu().equal(model[0].weight.cpu())
        twin.load_state_dict(loaded)
        file = io.BytesIO()
        torch.save(nn.Linear(2, 2).state_dict(), file)
        file.seek(0)
        assert torch.load(file, map_location="neuron")["bias"].device.type == "neuron"
    """,
    "gradients": """
        class Double(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * 2
            @staticmethod
            def backward(ctx, gradient):
                assert ctx.saved_tensors[0].device.type == "neuron"
                return gradient * 2
        seen = []
        x = torch.ones(3, device="neuron:1", requires_grad=True)
        x.register_hook(lambda gradient: seen.append(str(gradient.device)))
        Double.apply(x).exp().sum().backward()
        assert seen == ["neuron:1"] and x.grad.device == x.device
        y = x.exp()
        y.add_(1)
        with raises(RuntimeError, "modified by an inplace operation"):
            y.sum().backward()
        per_row = torch.func.vmap(torch.func.grad(lambda w: (w * w).sum()))
        assert per_row(numbers(2, 2).neuron()).tolist() == [[0, 2], [4, 6]]
        with torch.inference_mode():
            assert (x + 1).view(3, 1).is_inference()
    """,
    "activation checkpointing": """
        from torch.utils.checkpoint import checkpoint
        block = nn.Sequential(nn.Linear(4, 4), nn.Dropout(0.5)).to("neuron")
        gradients = []
        for run in (block, lambda x: checkpoint(block, x, use_reentrant=True),
                    lambda x: checkpoint(block, x, use_reentrant=False)):
            torch.manual_seed(2)
            x = torch.ones(2, 4, device="neuron", requires_grad=True)
            run(x).sum().backward()
            gradients.append(x.grad.tolist())
        assert gradients[0] == gradients[1] == gradients[2] != [[0.0] * 4] * 2
    """,
    "autocast casts": """
        layer, x = nn.Linear(4, 4).to("neuron"), torch.ones(2, 4, device="neuron")
        with torch.autocast("neuron", dtype=torch.bfloat16):
            y = layer(x)
            assert y.dtype == (x @ x.T).dtype == torch.bfloat16
            assert F.softmax(y, -1).dtype == y.sum().dtype == F.layer_norm(y, [4]).dtype
            assert F.layer_norm(y, [4]).dtype == torch.float32
            assert torch.cat([x, y]).dtype == torch.float32 and (y + y).dtype == torch.bfloat16
            with torch.autocast("neuron", enabled=False):
                assert layer(x).dtype == torch.float32
        F.mse_loss(y.float(), x).backward()
        assert layer.weight.grad.dtype == torch.float32 and layer(x).dtype == torch.float32
    """,
    "the scaler": """
        weight = torch.ones(2, device="neuron", requires_grad=True)
        for enabled in (False, True):
            scaler = torch.amp.GradScaler("neuron", enabled=enabled)
            optimizer = torch.optim.SGD([weight], lr=0.5)
            optimizer.zero_grad()
            scaler.scale(weight.sum()).backward()
            scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
        assert weight.tolist() == [0, 0]
    """,
    "random numbers": """
        torch.manual_seed(5)
        here = torch.rand(3)
        torch.manual_seed(5)
        assert torch.rand(3, device="neuron").tolist() == here.tolist()
        generator = torch.Generator("neuron").manual_seed(1)
        assert generator.device.type == "neuron" and torch.Generator().device.type == "cpu"
        first = torch.randn(2, device="neuron", generator=generator)
        generator.manual_seed(1)
        assert torch.randn(2, device="neuron", generator=generator).equal(first)
        state = torch.neuron.get_rng_state()
        with torch.random.fork_rng(devices=[0], device_type="neuron"):
            torch.rand(5, device="neuron")
        assert torch.neuron.get_rng_state().equal(state)
    """,
    "several cores": """
        assert torch.neuron.device_count() == torch.accelerator.device_count() == 2
        assert torch.accelerator.current_accelerator().type == "neuron"
        torch.neuron.set_device(1)
        made = (torch.zeros(1, device="neuron"), torch.zeros(1).to("neuron"), numbers(1).neuron(),
                nn.Linear(1, 1).to("neuron").bias, torch.tensor(1, device=torch.device("neuron")))
        assert {str(tensor.device) for tensor in made} == {"neuron:1"}
        with torch.neuron.device(0):
            assert torch.accelerator.current_device_index() == torch.neuron.current_device() == 0
        with torch.device("neuron:0"):
            assert torch.ones(2).device.index == 0
        torch.set_default_device("neuron")
        assert nn.Linear(1, 1).bias.device.index == 1
    """,
    "memory": """
        before = torch.neuron.memory_allocated()
        x = torch.zeros(1000, device="neuron")
        assert torch.neuron.memory_allocated() == before + 4000
        views = [x.view(10, 100), x[5:], x.detach()]
        assert torch.accelerator.memory_allocated() == before + 4000
        del x, views
        assert torch.neuron.memory_allocated() == before
        assert torch.neuron.max_memory_allocated() >= before + 4000
        torch.neuron.reset_peak_memory_stats()
        assert torch.neuron.max_memory_allocated() == before
        free, total = torch.accelerator.get_memory_info()
        assert total == 24 * 1024**3 and free == total - before
    """,
    "pinned memory": """
        x = numbers(2).pin_memory()
        assert x.is_pinned() and not numbers(2).is_pinned()
        assert x.to("neuron", non_blocking=True).tolist() == [0, 1]
        data = torch.utils.data.TensorDataset(numbers(4))
        batches = torch.utils.data.DataLoader(data, 2, num_workers=1, pin_memory=True)
        assert [batch.is_pinned() for batch, in batches] == [True, True]
    """,
    "float64 is computed in 32 bits": """
        x = torch.ones(1, dtype=torch.float64, device="neuron")
        assert x.dtype == (x / 3).dtype == torch.float64
        assert (x / 3).item() == (torch.ones(1) / 3).double().item() != 1 / 3
        assert x.div_(3).item() == (torch.ones(1) / 3).double().item()
        exact = torch.tensor([1 / 3], dtype=torch.float64)
        assert exact.to("neuron").cpu().equal(exact)
    """,
    "moving a module": """
        class Tied(nn.Module):
            def __init__(self):
                super().__init__()
                self.embedding, self.head = nn.Embedding(5, 3), nn.Linear(3, 5, bias=False)
                self.head.weight = self.embedding.weight
        model = Tied()
        weight = model.head.weight
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        assert model.to("neuron").head.weight is model.embedding.weight is weight
        before = weight.clone()
        model.head(model.embedding(torch.tensor([1], device="neuron"))).sum().backward()
        optimizer.step()
        assert weight.device.type == "neuron" and not weight.equal(before)
        with torch.device("meta"):
            empty = nn.Linear(2, 2)
        assert empty.to_empty(device="neuron").weight.device.type == "neuron"
    """,
    "numbers for tensors": """
        x, at = numbers(2, 6).neuron(), torch.tensor([[4, 0], [1, 5]], device="neuron")
        assert torch.take_along_dim(x, at, dim=1).tolist() == [[4, 0], [7, 11]]
    """,
    "grouped queries": """
        q, k = torch.rand(2, 4, 6, 8, requires_grad=True), torch.rand(2, 2, 6, 8)
        p = q.detach().neuron().requires_grad_()
        for x, y in ((q, k), (p, k.neuron())):
            attended = F.scaled_dot_product_attention(x, y, y, is_causal=True, enable_gqa=True)
            attended.exp().sum().backward()
        assert attended.cpu().equal(
            F.scaled_dot_product_attention(q, k, k, is_causal=True, enable_gqa=True)
        )
        assert p.grad.cpu().equal(q.grad)
    """,
    "attention and recurrent layers": """
        for mask, causal in ((None, True), (torch.rand(6, 6) > 0.3, False), (None, False)):
            q = torch.rand(2, 2, 6, 8, requires_grad=True)
            p = q.detach().neuron().requires_grad_()
            on_device = None if mask is None else mask.neuron()
            for x, m in ((q, mask), (p, on_device)):
                F.scaled_dot_product_attention(x, x, x, m, is_causal=causal).exp().sum().backward()
            assert p.grad.cpu().equal(q.grad)
        for kind in (nn.LSTM, nn.GRU, nn.RNN):
            layer = kind(4, 3, 2, bidirectional=True, batch_first=True)
            twin, x = copy.deepcopy(layer).to("neuron"), torch.rand(2, 5, 4)
            layer(x)[0].square().sum().backward()
            twin(x.neuron())[0].square().sum().backward()
            for ours, theirs in zip(twin.parameters(), layer.parameters(), strict=True):
                torch.testing.assert_close(ours.grad.cpu(), theirs.grad)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_device(rehearse: Callable[..., Run], program: str) -> None:
    done, recordings = rehearse(START + textwrap.dedent(PROGRAMS[program]))
    assert done.returncode == 0, done.stderr
    assert recordings[0].outcome.status == "finished"
