"""The backend `neuron` of `torch.compile`: compiles nothing, runs the graphs it is given.

As documented, AOT Autograd splits what Dynamo captured into a forward and a backward graph, which
are compiled each on its own, once for each signature; sizes have to be static
(https://awsdocs-neuron.readthedocs-hosted.com/en/latest/torch/compile/about-torch-compile.html).
"""

from __future__ import annotations

import logging
import os
from functools import partial
from typing import TYPE_CHECKING, Any

from torch._dynamo.backends.common import aot_autograd

from neuron_migrate.rehearse import tracing
from neuron_migrate.rehearse.graphs import Running
from neuron_migrate.rehearse.state import state
from neuron_migrate.rehearse.symbols import dynamic_shape, has_symbolic_number, refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torch.fx import GraphModule

    from neuron_migrate.rehearse.lines import Place

FALLBACK = "TORCH_NEURONX_DISABLE_FALLBACK_EXECUTION"
MODE = (
    "Only the mode `default` applies to the neuron backend; another logs a warning and has no "
    "effect (https://awsdocs-neuron.readthedocs-hosted.com/en/latest/torch/compile/"
    "reference-torch-compile.html)."
)
OPTIONS = "Which `options` the neuron backend reads is not documented; here they have no effect."
HOST = (
    "A compiled function was given tensors of the host alone, and ran on the host. TorchNeuron "
    "copies them to the device unless TORCH_NEURONX_DYNAMO_DISABLE_CPU_AUTOCOPY=1."
)
NUMBER = (
    "A number became a symbol of the graph when its second value came. What the neuron backend "
    "does with it is not public: with dynamic=False each value compiles a graph of its own, as a "
    "tensor it compiles one."
)

_log = logging.getLogger("neuron")


def compile_graph(
    module: GraphModule,
    inputs: Sequence[Any],
    *,
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> Callable[..., Any]:
    """What Dynamo calls for each graph that it captured; RuntimeError for dynamic shapes."""
    region = tracing.region()
    _remark(region, mode, options)
    again = tracing.record_recompile(region)
    signature = tracing.signature(module)
    found = dynamic_shape(module)
    if found is not None:
        return _refuse(module, refusal(found, again), region, options or {})
    if has_symbolic_number(module):
        state.recorder.note(NUMBER, region)
    if not tracing.on_device(module):
        state.recorder.note(HOST, region)
        return module.forward
    compiler = partial(Running.compiled, region=region, inputs=signature)
    return aot_autograd(
        fw_compiler=partial(compiler, kind="forward"),
        bw_compiler=partial(compiler, kind="backward"),
        inference_compiler=partial(compiler, kind="inference"),
        keep_inference_input_mutations=True,
    )(module, inputs)


def _remark(region: Place, mode: str | None, options: Mapping[str, Any] | None) -> None:
    if mode is not None:
        _log.warning("mode=%r has no effect on the neuron backend: default is used", mode)
        state.recorder.note(MODE, region)
    if options:
        state.recorder.note(OPTIONS, region)


def _refuse(
    module: GraphModule, reason: str, region: Place, options: Mapping[str, Any]
) -> Callable[..., Any]:
    """Raise, as is the default, or run the graph eagerly where the program asks for that."""
    asked = options.get("fallback_execution", os.environ.get(FALLBACK) == "0")
    state.recorder.compilation("fallback" if asked else "failure", region, region, reason)
    if not asked:
        raise RuntimeError(reason)
    return module.forward


tracing.install()
