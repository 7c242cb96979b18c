"""Autocast for the device: torch gives a device that registers itself no casting rules.

Which operators are cast follows what the installed torch casts on other accelerators; how, its
documentation of automatic mixed precision.
"""

from __future__ import annotations

import inspect
import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from neuron_migrate.rehearse.dispatch import overload_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY = "AutocastPrivateUse1"
ON_CPU = "AutocastCPU"
LIKE = "AutocastCUDA"
LOWER = frozenset(
    [
        "_convolution",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_tbc",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "convolution",
        "prelu",
        "addmm",
        "addmv",
        "addr",
        "matmul",
        "einsum",
        "mm",
        "mv",
        "linalg_vecdot",
        "linear",
        "addbmm",
        "baddbmm",
        "bmm",
        "chain_matmul",
        "linalg_multi_dot",
        "_thnn_fused_lstm_cell",
        "_thnn_fused_gru_cell",
        "lstm_cell",
        "gru_cell",
        "rnn_tanh_cell",
        "rnn_relu_cell",
        "scaled_dot_product_attention",
    ]
)
"""Cast to the type that autocast was given."""
WIDEST = frozenset(
    [
        "addcdiv",
        "addcmul",
        "atan2",
        "bilinear",
        "cross",
        "dot",
        "vdot",
        "grid_sampler",
        "index_put",
        "tensordot",
        "scatter_add",
    ]
)
"""Cast to the widest type among the operands."""
RESULT = frozenset(["prod", "softmax", "log_softmax", "cumprod", "cumsum", "sum"])
"""Left as they are, but with a float32 result where the program asks for none."""

_device = "neuron"
_libraries: list[torch.library.Library] = []
_cast: dict[int, tuple[Tensor, Tensor]] = {}
_clear = torch.clear_autocast_cache


def _eligible(value: object) -> bool:
    return (
        isinstance(value, Tensor)
        and value.device.type == _device
        and value.is_floating_point()
        and value.dtype != torch.float64
    )


def _to(tensor: Tensor, dtype: torch.dtype) -> Tensor:
    if tensor.dtype == dtype:
        return tensor
    if not (tensor.requires_grad and tensor.is_leaf and torch.is_autocast_cache_enabled()):
        return tensor.to(dtype)
    if (known := _cast.get(id(tensor))) is None or known[1].dtype != dtype:
        known = _cast[id(tensor)] = (tensor, tensor.to(dtype))
    return known[1]


def _cast_all(value: Any, dtype: torch.dtype) -> Any:
    if _eligible(value):
        return _to(value, dtype)
    if isinstance(value, (list, tuple)):
        return [_cast_all(item, dtype) for item in value]
    return value


def _tensors(values: Any) -> list[Tensor]:
    found = []
    for value in values:
        found += _tensors(value) if isinstance(value, (list, tuple)) else [value]
    return [value for value in found if _eligible(value)]


def _lower(args: Any, kwargs: Any) -> torch.dtype:
    return torch.get_autocast_dtype(_device)


def _widest(args: Any, kwargs: Any) -> torch.dtype:
    dtypes = {tensor.dtype for tensor in _tensors((*args, *kwargs.values()))}
    return torch.float32 if torch.float32 in dtypes else torch.get_autocast_dtype(_device)


def _single(args: Any, kwargs: Any) -> torch.dtype:
    return torch.float32


def kernel(overload: Any, choose: Callable[[Any, Any], torch.dtype]) -> Callable[..., Any]:
    """The autocast kernel that casts operands to the type that `choose` gives."""

    def run(*args: Any, **kwargs: Any) -> Any:
        with _below_autocast():
            dtype = choose(args, kwargs)
            named = {name: _cast_all(value, dtype) for name, value in kwargs.items()}
            return overload(*(_cast_all(value, dtype) for value in args), **named)

    return run


def result_kernel(overload: Any) -> Callable[..., Any]:
    """The autocast kernel that asks for a float32 result where no type is asked for."""
    names = [argument.name for argument in overload._schema.arguments]
    signature = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    )

    def run(*args: Any, **kwargs: Any) -> Any:
        with _below_autocast():
            given = signature.bind_partial(*args, **kwargs).arguments
            if _eligible(args[0]) and given.get("dtype") is None:
                kwargs["dtype"] = torch.float32
                args = args[: names.index("dtype")]
            return overload(*args, **kwargs)

    return run


def _below_autocast() -> Any:
    key = KEY if _device == "neuron" else ON_CPU
    return torch._C._ExcludeDispatchKeyGuard(
        torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))
    )


def clear_cache() -> None:
    """Forget the cast parameters, when the outermost block ends."""
    _cast.clear()
    _clear()


def install(anything: torch.library.Library, aten: torch.library.Library) -> None:
    """Register casting for the operators that the installed torch casts elsewhere."""
    anything.fallback(torch.library.fallthrough_kernel, KEY)
    torch.clear_autocast_cache = clear_cache
    for name, cast in _kernels():
        aten.impl(name, cast, KEY)


def install_on_cpu(aten: torch.library.Library) -> None:
    """Let autocast on the CPU cast what it casts on the device, instead of what the CPU's does."""
    global _device
    _device = "cpu"
    kernels = dict(_kernels())
    for name in torch._C._dispatch_get_registrations_for_dispatch_key(ON_CPU):
        kernels.setdefault(name, torch.library.fallthrough_kernel)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, cast in kernels.items():
            aten.impl(name, cast, ON_CPU, allow_override=True)
    _libraries.append(aten)


def _kernels() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in torch._C._dispatch_get_registrations_for_dispatch_key(LIKE):
        base = name.removeprefix("aten::").partition(".")[0]
        overload = overload_of(name)
        if base in RESULT:
            yield name, result_kernel(overload)
            continue
        choose = _lower if base in LOWER else _widest if base in WIDEST else _single
        if not base.startswith(("cudnn", "_scaled_dot_product_flash")):
            yield name, kernel(overload, choose)
