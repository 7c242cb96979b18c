"""Runs the graphs of compiled regions, operator by operator, each at the line it came from."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

import torch
from torch._functorch.aot_autograd import make_boxed_func

from neuron_migrate.rehearse.recorder import CompiledGraph
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch.fx import GraphModule, Node

    from neuron_migrate.rehearse.lines import Place
    from neuron_migrate.rehearse.recorder import Operands

FRAME = re.compile(r'File "([^"]+)", line (\d+), in (\S+)')
CORE = re.compile(r"neuron:\d+|device\(type='neuron', index=\d+\)")


class Running(torch.fx.Interpreter):
    """A compiled graph: what it does counts for the graph, not for eager mode."""

    def __init__(self, module: GraphModule, graph: CompiledGraph) -> None:
        super().__init__(module)
        self._compiled = graph
        self._places = {node: _place(node, graph.region) for node in module.graph.nodes}

    @classmethod
    def compiled(
        cls, module: GraphModule, _: Sequence[Any], *, region: Place, inputs: Operands, kind: str
    ) -> Callable[..., Any]:
        """What AOT Autograd calls for each of its graphs."""
        nodes = sum(node.op == "call_function" for node in module.graph.nodes)
        graph = CompiledGraph(region, kind, inputs, nodes, digest(module))
        running = cls(module, state.recorder.compiled(graph))
        boxed: Callable[..., Any] = make_boxed_func(running.call)
        return boxed

    def call(self, *arguments: Any) -> Any:
        """Run it once."""
        outer, state.recorder.graph = state.recorder.graph, self._compiled.name
        line = state.node
        self._compiled.calls += 1
        try:
            return self.run(*arguments)
        finally:
            state.recorder.graph, state.node = outer, line
            self.env.clear()

    def run_node(self, n: Node) -> Any:
        """Run one operator as the program's line that it came from."""
        state.node = self._places[n]
        return super().run_node(n)


def _place(node: Node, region: Place) -> Place:
    """The innermost line of the program behind a node."""
    frames = FRAME.findall(node.meta.get("stack_trace") or "")
    for path, line, function in reversed(frames):
        if state.recorder.lines.is_own(path):
            return path, int(line), function
    return region


def digest(module: GraphModule) -> str:
    """A short name for operators, constants, shapes and dtypes: the text that is compiled.

    The core it is for is no part of it, so that ranks have the same.
    """
    text = CORE.sub("neuron", "\n".join(_words(node) for node in module.graph.nodes))
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _words(node: Node) -> str:
    values = " ".join(_shapes(node.meta.get("val")))
    return f"{node.name} {node.op} {node.target} {node.args} {node.kwargs} {values}"


def _shapes(value: Any) -> Iterator[str]:
    for leaf in torch.utils._pytree.tree_leaves(value):
        if isinstance(leaf, torch.Tensor):
            yield f"{leaf.dtype}{list(leaf.shape)}@{leaf.device}"
