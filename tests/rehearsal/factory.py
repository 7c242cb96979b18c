"""Recordings made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from neuron_migrate.catalog import rehearsal as facts
from neuron_migrate.rehearsal.summary import summarise
from neuron_migrate.rehearse.recording import (
    Collective,
    Compilation,
    Frame,
    Graph,
    Line,
    Memory,
    Note,
    Operator,
    Outcome,
    Recording,
    Synchronisation,
    Tensor,
    Transfer,
)

if TYPE_CHECKING:
    from neuron_migrate.rehearsal.model import Rehearsal

TRAIN = Line("/work/project/train.py", 6, "main")
STEP = Line("/work/project/train.py", 8, "main")
FOLDER = Path("/work/project")
GIB = 1024**3


def operator(
    name: str, *shapes: tuple[int, ...], line: Line = TRAIN, dtype: str = "float32", **more: Any
) -> Operator:
    operands = tuple(Tensor(shape, dtype) for shape in shapes)
    first = more.pop("first", 0) + 1
    return Operator(name, operands, line, more.pop("count", 1), first=first, **more)


def graph(digest: str, *shapes: tuple[int, ...], region: Line = STEP, **more: Any) -> Graph:
    return Graph(
        name=digest,
        region=region,
        kind=more.pop("kind", "inference"),
        inputs=tuple(Tensor(shape, "float32") for shape in shapes),
        nodes=2,
        digest=digest,
        traces=1,
        calls=2,
        first=more.pop("first", 0) + 1,
    )


def recording(*operators: Operator, **more: Any) -> Recording:
    values: dict[str, Any] = {
        "version": 1,
        "process": 1,
        "kind": "script",
        "command": ("train.py",),
        "torch": "2.13.0",
        "seconds": 1.0,
        "outcome": Outcome("finished"),
        "operators": operators,
    }
    return Recording(**(values | more))


def raised(exception: str, message: str, *frames: Frame) -> Outcome:
    return Outcome("raised", 1, exception, message, frames)


def rehearsal(*recordings: Recording, status: int = 0, **more: Any) -> Rehearsal:
    return summarise(
        recordings,
        facts.load(),
        command=("train.py", "--epochs", "1"),
        status=status,
        folder=FOLDER,
        explain=more.pop("explain", lambda outcome: ()),
    )


def everything() -> Rehearsal:
    """One of each thing that a report can show, over two ranks and a worker."""
    odd = Line("/work/project/data \x1b.py", 3, "load")
    own = Frame(TRAIN, "loss = model(x)", True)
    operators = [
        operator("aten::embedding", (12, length), first=first)
        for first, length in enumerate((17, 23, 31))
    ]
    operators += [
        operator("aten::topk", (64,), dtype="int64", graph="forward 1"),
        operator("aten::scatter_add_", (64,), (64,), dtype="int64", line=STEP),
        operator("aten::mul.Tensor", (8, 8), dtype="complex64", line=odd),
        operator("aten::mul.Tensor", (8, 8), dtype="float8_e4m3fn", line=Line("", 0)),
    ]
    outcome = raised("RuntimeError", "NCC_EVRF013: no\nmore", own, Frame(STEP, "", False))
    ranks = [
        recording(
            *operators,
            rank=rank,
            process=rank,
            outcome=outcome,
            transfers=(Transfer("to_device", TRAIN, 3, 4096), Transfer("to_host", odd, 1, 4)),
            synchronisations=(Synchronisation("item", STEP, 3),),
            memory=(Memory(rank, (rank + 1) * 20 * GIB, TRAIN),),
            graphs=(
                graph("a", (4, 17), kind="forward"),
                graph("b", (4, 23), kind="forward", first=1),
            ),
            compilations=(Compilation("recompile", STEP, STEP, "size mismatch", 2),),
            collectives=(Collective("allreduce", STEP, 3, 4096),),
            notes=(Note("something to know", TRAIN),),
        )
        for rank in (0, 1)
    ]
    return rehearsal(*ranks, recording(kind="worker", process=7), status=1)
