"""Dynamic shapes in a graph, which the Neuron compiler refuses, and why they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
FROM_DATA = "the size of a result depends on the data, see NM222"
MARKED = "the program marks a dimension as dynamic, see NM203"


class Dynamic(NamedTuple):
    """A tensor with a dimension that has no fixed size."""

    name: str
    shape: str
    given: bool
    """Whether it comes into the graph like that, rather than from an operator."""


def dynamic_shape(module: GraphModule) -> Dynamic | None:
    """The first such tensor of a graph."""
    for node in module.graph.nodes:
        for leaf in tree_leaves(node.meta.get("example_value")):
            if isinstance(leaf, torch.Tensor) and any(map(_is_symbol, leaf.shape)):
                return Dynamic(node.name, _written(leaf), node.op == "placeholder")
    return None


def has_symbolic_number(module: GraphModule) -> bool:
    """Whether a graph takes a number as a symbol rather than a constant."""
    nodes = (node for node in module.graph.nodes if node.op == "placeholder")
    return any(_is_symbol(node.meta.get("example_value")) for node in nodes)


def _is_symbol(value: Any) -> bool:
    return isinstance(value, (torch.SymInt, torch.SymFloat))


def _written(tensor: torch.Tensor) -> str:
    sizes = ("?" if _is_symbol(size) else str(size) for size in tensor.shape)
    name = SHORT.get(tensor.dtype, str(tensor.dtype).removeprefix("torch."))
    return f"{name}[{','.join(sizes)}]"


def refusal(found: Dynamic, again: bool) -> str:
    """What the compiler says; `again` is true where the function was compiled before."""
    if not found.given:
        why = FROM_DATA
    elif not config.assume_static_by_default:
        why = ASKED
    else:
        why = AUTOMATIC if again else MARKED
    return REFUSAL.format(name=found.name, shape=found.shape, why=why)
