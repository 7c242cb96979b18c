"""Runs operators of the device with the kernels of the CPU, and records them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from neuron_migrate.rehearse import wide
from neuron_migrate.rehearse.attribution import locate
from neuron_migrate.rehearse.host import CPU_KEYS
from neuron_migrate.rehearse.lines import NOWHERE
from neuron_migrate.rehearse.operands import Operands
from neuron_migrate.rehearse.plans import Plan
from neuron_migrate.rehearse.state import state

if TYPE_CHECKING:
    from neuron_migrate.rehearse.lines import Place
    from neuron_migrate.rehearse.recorder import Attributes

PRINTED = (
    "A tensor of the device was printed. torch copies tensors of xla, lazy, ipu and mtia to the "
    "host first, and makes the text of all others with operators on their device: they are among "
    "the compilations of the line, and some have a shape that depends on the values. "
    "Print `tensor.cpu()` or `tensor.item()`."
)
"""As of `torch/_tensor_str.py`."""
NOT_RESIZABLE = "not resizable"
IN_PLACE_VIEWS = ("aten::view", "aten::as_strided", "aten::_reshape_alias", "aten::unfold")
"""Views whose CPU kernel only looks at sizes: it runs on the device tensor itself."""

NUMBERS = (bool, int, float, complex)

_plans: dict[Any, Plan] = {}


def run(plan: Plan, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run one operator: record it, let the CPU compute, give back device tensors."""
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        operands = Operands(plan)
        lowered = [operands.lower(argument) for argument in args]
        named = {name: operands.lower(argument) for name, argument in kwargs.items()}
        operands.check()
        attributes = plan.attributes(args, kwargs) if plan.compiled else ()
        place_ = NOWHERE if plan.views else locate()
        if not plan.views:
            state.place = place_
        if operands.wide and plan.computes:
            result = compute_wide(plan, operands, lowered, named)
        else:
            result = compute(plan, operands, lowered, named)
        if not plan.views:
            record(plan, operands, attributes, place_)
        if plan.written:
            operands.update()
        return operands.raise_results(result)


def record(plan: Plan, operands: Operands, attributes: Attributes, place_: Place) -> None:
    """Count the call at the line of the program that is behind it.

    After it ran, when `out=` tensors have the sizes of what was computed into them.
    """
    recorder = state.recorder
    if plan.compiled:
        described = tuple((tuple(alias.shape), alias.dtype) for _, alias in operands.pairs)
        if recorder.operator(plan.name, described, attributes, place_, state.backward):
            for tensor, _ in operands.pairs:
                if is_parameter(tensor):
                    recorder.parameter(tuple(tensor.shape))
    if plan.wait:
        printing = recorder.lines.in_printing()
        if printing:
            recorder.note(PRINTED, place_)
        recorder.wait("print" if printing else plan.wait, place_)


def is_parameter(tensor: torch.Tensor) -> bool:
    """Whether a tensor is a parameter of a module, or is trained like one."""
    return (tensor.requires_grad and tensor.is_leaf) or isinstance(tensor, torch.nn.Parameter)


def compute(plan: Plan, operands: Operands, args: list[Any], named: dict[str, Any]) -> Any:
    """Call the CPU's kernel; results that do not fit into `out=` tensors replace their memory."""
    overload = callable_for(plan, args)
    try:
        return overload(*args, **named)
    except RuntimeError as error:
        if not plan.written or NOT_RESIZABLE not in str(error):
            raise
    fresh = {id(named[name]): torch.empty_like(named[name]) for _, name in plan.written}
    for key, value in named.items():
        named[key] = fresh.get(id(value), value)
    operands.pairs = [(tensor, fresh.get(id(alias), alias)) for tensor, alias in operands.pairs]
    return overload(*args, **named)


def callable_for(plan: Plan, args: list[Any]) -> Any:
    """The overload, or one that takes numbers: torch hands Python a number for a tensor of one."""
    if any(isinstance(args[at], NUMBERS) for at in plan.tensors if at < len(args)):
        return plan.packet
    return plan.overload


def compute_wide(plan: Plan, operands: Operands, args: list[Any], named: dict[str, Any]) -> Any:
    """Compute float64 as the device does, in 32 bits."""
    targets = [args[at] for at, _ in plan.written if at < len(args)]
    targets += [named[name] for _, name in plan.written if name in named]
    for target in targets:
        wide.round_(target)
    kept = tuple(flat for target in targets for flat in _tensors(target))
    narrowed = [wide.narrow(argument, kept) for argument in args]
    result = compute(
        plan, operands, narrowed, {name: wide.narrow(value, kept) for name, value in named.items()}
    )
    wide.round_(result)
    return result


def _tensors(value: Any) -> list[torch.Tensor]:
    return list(value) if isinstance(value, (list, tuple)) else [value]


def fallback(overload: Any, *args: Any, **kwargs: Any) -> Any:
    """The kernel of every operator that has no registration of its own."""
    plan = _plans.get(overload)
    if plan is None:
        plan = _plans[overload] = Plan(overload)
    return run(plan, args, kwargs)


def kernel(overload: Any) -> Any:
    """The kernel of one operator, with its schema read in advance."""
    plan = Plan(overload)

    def run_planned(*args: Any, **kwargs: Any) -> Any:
        return run(plan, args, kwargs)

    return run_planned


def view_kernel(overload: Any) -> Any:
    """The kernel of a view that the CPU's code computes from sizes alone."""
    return partial(overload.redispatch, CPU_KEYS)


def overload_of(name: str) -> Any:
    """The overload that the dispatcher calls `aten::add.Tensor`."""
    space, _, rest = name.partition("::")
    base, _, variant = rest.partition(".")
    return getattr(getattr(getattr(torch.ops, space), base), variant or "default")
