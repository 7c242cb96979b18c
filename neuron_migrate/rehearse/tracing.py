"""What Dynamo says of its work: which function, which inputs, why again, and where it broke off."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch._dynamo import symbolic_convert, trace_rules
from torch._dynamo.device_interface import DeviceInterface, register_interface_for_device
from torch._dynamo.utils import guard_failures
from torch.utils._pytree import tree_leaves

from neuron_migrate.rehearse import devices, streams
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from types import CodeType

    from torch.fx import GraphModule

    from neuron_migrate.rehearse.lines import Place
    from neuron_migrate.rehearse.recorder import Operands

STATE_OF_MODULES = re.compile(r"_(parameters|buffers)_")
LIMIT = "torch._dynamo hit config."
FUNCTION = re.compile(r"'.*' \((.*):(\d+)\)")
TRACED = {"__init__.py", "devices.py", "state.py"}
"""Files of the simulation that hold what compiled code may ask, such as the current core."""

_seen_failures: dict[CodeType, int] = {}
_regions: dict[tuple[str, int], Place] = {}
"""By the file and first line of the function, which is all that a warning says of it."""


def _code() -> CodeType:
    """The function that Dynamo is compiling, rather than one that it is inlining."""
    code: CodeType = symbolic_convert.InstructionTranslator.current_tx().output.root_tx.f_code
    return code


def region() -> Place:
    """The function that Dynamo is compiling, at its first line; the line that calls a library's."""
    code = _code()
    if state.recorder.lines.is_own(code.co_filename):
        place = (*_at(code), getattr(code, "co_qualname", code.co_name))
    else:
        place = state.recorder.lines.here()[0]
    _regions.setdefault(_at(code), place)
    return place


def _at(code: CodeType) -> tuple[str, int]:
    return code.co_filename, code.co_firstlineno


def signature(module: GraphModule) -> Operands:
    """Shapes and dtypes of what the function was given."""
    found = []
    for node in module.graph.nodes:
        if node.op == "placeholder" and not STATE_OF_MODULES.search(node.name):
            value = node.meta.get("example_value")
            if isinstance(value, torch.Tensor):
                found.append((tuple(value.shape), value.dtype))
    return tuple(found)


def on_device(module: GraphModule) -> bool:
    """Whether a graph has a tensor of the device."""
    values = (leaf for node in module.graph.nodes for leaf in _leaves(node))
    return any(isinstance(leaf, torch.Tensor) and leaf.device.type == "neuron" for leaf in values)


def _leaves(node: torch.fx.Node) -> list[Any]:
    leaves: list[Any] = tree_leaves(node.meta.get("example_value"))
    return leaves


def record_recompile(region: Place) -> bool:
    """Whether the function had been compiled before; if so, record what did not fit any more."""
    code = _code()
    reasons = guard_failures.get(code, [])
    if len(reasons) > _seen_failures.get(code, 0):
        state.recorder.compilation("recompile", region, region, _cause(reasons[-1]))
    _seen_failures[code] = len(reasons)
    return bool(reasons)


def _cause(reason: object) -> str:
    """The guard that failed, without Dynamo's numbering of graphs."""
    first = str(reason).strip().splitlines()[0]
    return re.sub(r"^\d+/\d+: ", "", first).partition("  # ")[0].strip()


class Interface(DeviceInterface):
    """What Dynamo asks of a device while it traces."""

    device = devices.device
    Stream = streams.Stream
    current_device = staticmethod(devices.current_device)
    set_device = staticmethod(devices.set_device)
    device_count = staticmethod(devices.device_count)
    is_available = staticmethod(devices.is_available)
    synchronize = staticmethod(devices.synchronize)
    current_stream = staticmethod(torch.accelerator.current_stream)
    get_device_properties = staticmethod(devices.get_device_properties)

    @staticmethod
    def is_bf16_supported(including_emulation: bool = False) -> bool:
        """Whether bfloat16 works."""
        return devices.is_bf16_supported()


class Limit(logging.Filter):
    """Notices the warning with which Dynamo gives up on a function."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Record it, and let it through."""
        if str(record.msg).startswith(LIMIT) and isinstance(record.args, tuple):
            name, number, function, reason = record.args[:4]
            matched = FUNCTION.fullmatch(str(function))
            place = matched and _regions.get((matched[1], int(matched[2])))
            if place:
                text = f"{name} ({number}) reached: {_cause(reason)}"
                state.recorder.compilation("limit", place, place, text)
        return True


def _listen_to_breaks() -> None:
    """Dynamo tells only its log of a graph that ends before the function does."""
    log = symbolic_convert.InstructionTranslatorBase.log_graph_break

    def log_graph_break(self: Any, *args: Any, **kwargs: Any) -> None:
        for error in (*args, *kwargs.values()):
            if isinstance(error, Exception) and not getattr(error, "logged", False):
                record_break(error)
        log(self, *args, **kwargs)

    symbolic_convert.InstructionTranslatorBase.log_graph_break = log_graph_break


def record_break(error: Exception) -> None:
    """A graph that ends early, at the line of the program where it does."""
    at = place = region()
    for frame in getattr(error, "real_stack", None) or ():
        if state.recorder.lines.is_own(frame.filename):
            place = (frame.filename, frame.lineno, frame.name)
    state.recorder.compilation("break", at, place, str(error).strip().splitlines()[0])


def install() -> None:
    """Tell Dynamo of the device, once, when the backend is first asked for."""
    register_interface_for_device("neuron", Interface)
    for index in range(devices.device_count()):
        register_interface_for_device(f"neuron:{index}", Interface)
        torch.accelerator.current_stream(index)
    for path in Path(__file__).parent.glob("*.py"):
        if path.name not in TRACED:
            trace_rules.add(f"neuron_migrate.rehearse.{path.stem}")
    logging.getLogger("torch._dynamo.convert_frame").addFilter(Limit())
    _listen_to_breaks()
