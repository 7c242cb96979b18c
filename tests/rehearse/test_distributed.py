"""Programs of two processes: collectives, what stands on them, and what is recorded of ranks.

Starting torch takes seconds, so that each launch holds many checks.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.rehearse.recording import Recording
    from tests.rehearse.conftest import Run

SPAWN = """
    import datetime
    import os
    import sys
    import torch
    import torch.distributed as dist
    import torch.multiprocessing as mp

    def start(rank, path, work):
        os.environ["LOCAL_RANK"] = str(rank)
        options = {"init_method": "file://" + path, "rank": rank, "world_size": 2}
        options["timeout"] = datetime.timedelta(seconds=60)
        work(rank, options)
        dist.destroy_process_group()

    def launch(work):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "store")
        mp.start_processes(start, (path, work), nprocs=2, start_method="fork")
"""

COLLECTIVES = """
    import torch.distributed._functional_collectives as functional

    def work(rank, options):
        dist.init_process_group("neuron", **options)
        torch.neuron.set_device(rank)
        device = torch.device("neuron", rank)
        own = torch.full((2,), float(rank), device="neuron")
        ones = torch.ones(2, device=device)

        total = ones + own
        dist.all_reduce(total)
        assert total.tolist() == [3, 3] and total.device == device
        work = dist.all_reduce(total, op=dist.ReduceOp.AVG, async_op=True)
        work.wait(datetime.timedelta(seconds=60))
        assert total.tolist() == [3, 3] and work.is_completed()
        given = own.clone()
        dist.broadcast(given, src=1)
        assert given.tolist() == [1, 1]
        dist.reduce(given, 0)
        assert given.tolist() == [2, 2] or rank
        parts = [torch.empty_like(own) for _ in range(2)]
        dist.all_gather(parts, own)
        assert [part.tolist() for part in parts] == [[0, 0], [1, 1]]
        whole = torch.empty(4, device=device)
        dist.all_gather_into_tensor(whole, own)
        assert whole.tolist() == [0, 0, 1, 1]
        piece = torch.empty(2, device=device)
        dist.reduce_scatter_tensor(piece, torch.arange(4.0, device=device))
        assert piece.tolist() == [4 * rank, 4 * rank + 2]
        dist.reduce_scatter(piece, [own, own])
        assert piece.tolist() == [1, 1]
        dist.all_to_all_single(piece, torch.arange(2.0, device=device) + 10 * rank)
        assert piece.tolist() == [rank, 10 + rank]
        dist.gather(own, parts if rank == 0 else None)
        dist.scatter(piece, [ones, ones * 2] if rank == 0 else None)
        assert piece.tolist() == [1 + rank] * 2
        swaps = [dist.P2POp(dist.isend, own, 1 - rank), dist.P2POp(dist.irecv, piece, 1 - rank)]
        for swap in dist.batch_isend_irecv(swaps):
            swap.wait()
        assert piece.tolist() == [1 - rank] * 2
        dist.barrier()
        alone = dist.new_group([1])
        if rank == 1:
            dist.all_reduce(ones, group=alone)
        assert ones.tolist() == [1, 1]
        summed = functional.all_reduce(own, "sum", dist.group.WORLD)
        assert (summed + 0).tolist() == [1, 1] and summed.device == device
        mesh = dist.init_device_mesh("neuron", (1, 2), mesh_dim_names=("one", "two"))
        dist.all_reduce(ones, group=mesh["two"].get_group())
        assert ones.tolist() == [2, 2] and dist.get_backend() == "neuron"
        counts = torch.ones(1, dtype=torch.long, device=device)
        dist.all_reduce(counts)
        try:
            dist.all_reduce(torch.ones(1))
        except RuntimeError as error:
            assert "device type cpu" in str(error)
        else:
            raise AssertionError("a host tensor was reduced")

    if __name__ == "__main__":
        launch(work)
"""

TRAINING = """
    from torch import nn
    from torch.distributed.fsdp import fully_shard
    from torch.distributed.tensor import Shard, distribute_tensor
    from torch.nn.parallel import DistributedDataParallel as DDP

    def module():
        torch.manual_seed(0)
        return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))

    def train(model, device, rank):
        torch.manual_seed(5 + rank)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
        for _ in range(3):
            x, y = torch.randn(4, 4).to(device), torch.randint(2, (4,)).to(device)
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            yield loss.item()

    def losses(device, rank):
        given = [{}, {"static_graph": True}, {"find_unused_parameters": True}]
        for options in given:
            yield list(train(DDP(module().to(device), **options), device, rank))
        sharded = module()
        mesh = dist.init_device_mesh(device.type, (2,))
        fully_shard(sharded[0], mesh=mesh)
        yield list(train(fully_shard(sharded, mesh=mesh), device, rank))

    def work(rank, options):
        dist.init_process_group("cpu:gloo,neuron:neuron", **options)
        torch.neuron.set_device(rank)
        device = torch.device("neuron", rank)
        assert list(losses(device, rank)) == list(losses(torch.device("cpu"), rank))
        left, right = torch.randn(4, 6), torch.randn(6, 8)
        mesh = dist.init_device_mesh("neuron", (2,))
        dist.broadcast(left, 0)
        dist.broadcast(right, 0)
        rows = distribute_tensor(left, mesh, [Shard(0)])
        columns = distribute_tensor(right, mesh, [Shard(1)])
        product = (rows @ columns).full_tensor()
        assert product.device == device and torch.allclose(product.cpu(), left @ right)
        nn.init.normal_(rows)

    if __name__ == "__main__":
        launch(work)
"""

FAILING = """
    import torch
    import torch.distributed as dist
    dist.init_process_group("neuron")
    total = torch.ones(3, device="neuron")
    assert total.device.index == dist.get_rank()
    dist.all_reduce(total)
    if dist.get_rank() == 1:
        raise ValueError("rank 1 gives up")
    dist.new_group([0])
    import time
    time.sleep(60)
"""


def notes_of(each: Recording) -> str:
    return " ".join(note.text for note in each.notes)


def test_collectives(rehearse: Callable[..., Run]) -> None:
    done, recordings = rehearse(SPAWN + COLLECTIVES)
    assert done.returncode == 0, done.stderr
    ranks = {each.rank: each for each in recordings if each.kind == "rank"}
    assert sorted(ranks) == [0, 1]
    reduced = [each for each in ranks[0].collectives if each.name == "allreduce"]
    assert [(each.count, each.bytes) for each in reduced[:2]] == [(1, 8), (1, 8)]
    assert "NM515" in notes_of(ranks[0]) and "all_to_all between 2 ranks" in notes_of(ranks[0])
    assert "NM506" not in notes_of(ranks[0])
    assert "own only the core" not in notes_of(ranks[1])


def test_training_in_parallel_gives_the_losses_of_the_cpu(rehearse: Callable[..., Run]) -> None:
    done, recordings = rehearse(SPAWN + TRAINING)
    assert done.returncode == 0, done.stderr
    ranks = [each for each in recordings if each.kind == "rank"]
    assert {each.outcome.status for each in ranks} == {"finished"}
    assert "does not name the backend" in notes_of(ranks[0])
    assert "sharded tensor" in notes_of(ranks[0])


def test_a_rank_that_fails_under_torchrun(rehearse: Callable[..., Run]) -> None:
    launcher = """
        import os, sys
        from torch.distributed.run import main
        failing = os.path.join(os.path.dirname(os.path.abspath(__file__)), "failing.py")
        with open(failing, "w") as file:
            file.write({text!r})
        main(["--standalone", "--nproc-per-node", "2", failing])
        """
    done, recordings = rehearse(launcher.format(text=textwrap.dedent(FAILING)))
    assert done.returncode == 1
    assert "ValueError: rank 1 gives up" in done.stderr
    ranks = {each.rank: each for each in recordings if each.kind == "rank"}
    assert (ranks[1].outcome.status, ranks[1].outcome.exception) == ("raised", "ValueError")
    assert (ranks[0].outcome.status, ranks[0].outcome.message) == ("exited", "SIGTERM")
    assert [each.count for each in ranks[0].collectives] == [1]
