"""Whether a file runs as one process, or as one of a group, as far as its text says."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from neuron_migrate.engine.file import File

_SEVERAL = re.compile(
    r"\b(MpDeviceLoader|ParallelLoader|MpModelWrapper|xla_multiprocessing|xmp|spawn|xla_backend"
    r"|init_process_group|DistributedDataParallel|LOCAL_RANK|WORLD_SIZE|xrt_world_size|world_size"
    r"|torchrun|get_ordinal|global_ordinal|local_ordinal|mesh_reduce|rendezvous|all_reduce"
    r"|is_master_ordinal|DistributedSampler|neuronx_distributed)\b|\btorch_xla\.launch\b"
)
_GROUP = re.compile(r"\binit_process_group\b")
_STARTED_ELSEWHERE = re.compile(r"\b(spawn|launch)\(")
_ALWAYS_TRUE = re.compile(r"__name__|is_initialized|is_available")
_PROGRAM = re.compile(
    r"\b__main__\b|\bxla_device\b|\btorch_xla\.device\b|['\"](xla|neuron)\b|current_accelerator"
)


def several(text: str) -> str | None:
    """The word in a file that says that several processes take part, if there is one."""
    found = _SEVERAL.search(text)
    return found.group() if found else None


def has_group(text: str) -> bool:
    """True when the file sets up a process group."""
    return _GROUP.search(text) is not None


def always_has_group(file: File) -> bool:
    """True when no condition decides whether the process group is set up."""
    statements = file.index.statements
    functions = (each.node for each in statements if isinstance(each.node, ast.FunctionDef))
    module = [
        each.node for each in statements if each.parent is None and isinstance(each.node, ast.stmt)
    ]
    return _sets_up(module) or any(_sets_up(function.body) for function in functions)


def _sets_up(block: Sequence[ast.stmt]) -> bool:
    return any(_does(each) for each in block)


def _does(node: ast.stmt) -> bool:
    """True when a statement sets up the process group whichever way it goes."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return False
    if isinstance(node, ast.If):
        other = ast.unparse(ast.Module(node.orelse, []))
        return _sets_up(node.body) and bool(
            _ALWAYS_TRUE.search(ast.unparse(node.test))
            or _sets_up(node.orelse)
            or _STARTED_ELSEWHERE.search(other)
        )
    blocks = [getattr(node, name, None) for name in ("body", "orelse", "finalbody")]
    inner = [block for block in blocks if block]
    if inner:
        return any(_sets_up(block) for block in inner)
    return _GROUP.search(ast.unparse(node)) is not None and not isinstance(
        node, (ast.Import, ast.ImportFrom)
    )


def is_program(text: str) -> bool:
    """True when the file chooses the device itself: nothing around it starts the processes."""
    return _PROGRAM.search(text) is not None
