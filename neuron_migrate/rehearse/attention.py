"""Scaled dot-product attention and recurrent cells: torch asks which device they are on.

TorchNeuron has an attention of its own; here the CPU's fused one stands for it, as one operator,
so that numbers equal those of the CPU.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import _disable_current_modes as _no_modes
from torch.utils._python_dispatch import is_traceable_wrapper_subclass

from neuron_migrate.rehearse.host import on_host

UNFUSED = 0
"""SDPBackend.MATH: the CPU's fused one knows no sharded tensors."""
FLASH = 1
"""SDPBackend.FLASH_ATTENTION, which the CPU has."""
_math = torch.ops.aten._scaled_dot_product_attention_math.default
_flash = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default
_flash_backward = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward.default
_sharded = torch.ops.aten._scaled_dot_product_flash_attention.default
_choice = torch.ops.aten._fused_sdp_choice.default


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """`scaled_dot_product_attention` by the kernel that the CPU would choose."""
    given: tuple[Any, ...] = (query, key, value, attn_mask)
    if any(tensor is not None and tensor.device != query.device for tensor in given):
        devices = sorted({str(tensor.device) for tensor in given if tensor is not None})
        raise RuntimeError(f"Expected query, key, value and attn_mask on one device: {devices}")
    if attn_mask is None and not enable_gqa and any(map(is_traceable_wrapper_subclass, given[:3])):
        divided: Tensor = _sharded(query, key, value, dropout_p, is_causal, scale=scale)[0]
        return divided
    flash = _chosen(given, dropout_p, is_causal, scale, enable_gqa) == FLASH
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        attn_mask = torch.zeros_like(attn_mask, dtype=query.dtype).masked_fill_(
            attn_mask.logical_not(), float("-inf")
        )
    if flash:
        flashed: Tensor = _flash(
            query, key, value, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
        )[0]
        return flashed
    computed: Tensor = _math(
        query, key, value, attn_mask, dropout_p, is_causal, None, scale=scale, enable_gqa=enable_gqa
    )[0]
    return computed


def sharded(query: Tensor, key: Tensor, value: Tensor, *options: Any, scale: Any = None) -> Any:
    """The part of one rank: the operator for which torch knows how sharded tensors divide it."""
    dropout_p, is_causal = (*options, *(0.0, False)[len(options) :])[:2]
    result, sums = _flash(query, key, value, dropout_p, is_causal, scale=scale)
    seed, unused, mask = (torch.empty((), device=query.device) for _ in range(3))
    return result, sums, None, None, query.size(-2), key.size(-2), seed, unused, mask


def sharded_backward(
    grad: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor, sums: Tensor,
    _: Any, __: Any, ___: int, ____: int, dropout_p: float, is_causal: bool,
    *_seeds: Tensor, scale: float | None = None,
) -> Any:  # fmt: skip
    """The gradients of one rank's part."""
    return _flash_backward(
        grad, query, key, value, out, sums, dropout_p, is_causal, attn_mask=None, scale=scale
    )


def _chosen(
    given: tuple[Any, ...], dropout_p: float, is_causal: bool, scale: float | None, gqa: bool
) -> int:
    if any(map(is_traceable_wrapper_subclass, given)):
        return UNFUSED
    hold = _like if torch._C._len_torch_dispatch_stack() else on_host
    with _no_modes(), torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        held: list[Any] = [tensor if tensor is None else hold(tensor) for tensor in given]
        if given[3] is not None and given[3].requires_grad:
            held[3].requires_grad_()
        chosen: int = _choice(*held, dropout_p, is_causal, scale=scale, enable_gqa=gqa)
        return chosen


def _like(tensor: Tensor) -> Tensor:
    """A host tensor as tall and wide as one that is only being traced and has no memory."""
    return torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype)


def install(aten: torch.library.Library) -> None:
    """Take the place of torch's own choice, with and without gradients."""
    aten.impl("_scaled_dot_product_flash_attention", sharded, "PrivateUse1")
    aten.impl("_scaled_dot_product_flash_attention_backward", sharded_backward, "PrivateUse1")
    for key in ("AutogradPrivateUse1", "PrivateUse1"):
        aten.impl("scaled_dot_product_attention", attention, key)
