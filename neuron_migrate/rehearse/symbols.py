"""Dynamic shapes in a graph, which the Neuron compiler refuses, and why they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch._dynamo import config
from torch.utils._pytree import tree_leaves

if TYPE_CHECKING:
    from torch.fx import GraphModule

SHORT = {
    torch.float32: "f32",
    torch.float64: "f64",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.int64: "s64",
    torch.int32: "s32",
    torch.bool: "pred",
}
REFUSAL = (
    "[NCC_EMOD025] Dynamic shape is not supported: instruction '{name}' has shape '{shape}'. "
    "The Neuron compiler requires all tensor dimensions to be statically sized. "
    "(neuron-migrate rehearse, simulated: {why})"
)
"""The message of https://github.com/aws-neuron/aws-neuron-sdk/blob/master/compiler/error-codes/EMOD025.rst."""
ASKED = "torch.compile was called with dynamic=True, see NM201"
AUTOMATIC = (
    "Dynamo made a dimension dynamic when its second size came, "
    "give torch.compile dynamic=False, see NM201"
)
MARKED = "the program marks a dimension as dynamic, see NM203"


def dynamic_shape(module: GraphModule) -> tuple[str, str] | None:
    """The first tensor with a dimension that has no fixed size: its name, and dtype and sizes."""
    for node in module.graph.nodes:
        for leaf in tree_leaves(node.meta.get("example_value")):
            if isinstance(leaf, torch.Tensor) and any(map(_is_symbol, leaf.shape)):
                return node.name, _written(leaf)
    return None


def _is_symbol(size: Any) -> bool:
    return isinstance(size, torch.SymInt)


def _written(tensor: torch.Tensor) -> str:
    sizes = ("?" if _is_symbol(size) else str(size) for size in tensor.shape)
    name = SHORT.get(tensor.dtype, str(tensor.dtype).removeprefix("torch."))
    return f"{name}[{','.join(sizes)}]"


def refusal(found: tuple[str, str], again: bool) -> str:
    """What the compiler says; `again` is true where the function was compiled before."""
    cause = AUTOMATIC if again else MARKED
    why = cause if config.assume_static_by_default else ASKED
    return REFUSAL.format(name=found[0], shape=found[1], why=why)
