"""Scaled dot-product attention and recurrent cells: torch asks which device they are on.

TorchNeuron has an attention of its own; here the CPU's fused one stands for it, as one operator,
so that numbers equal those of the CPU.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from neuron_migrate.rehearse.host import on_host

FLASH = 1
"""SDPBackend.FLASH_ATTENTION, which the CPU has."""
_math = torch.ops.aten._scaled_dot_product_attention_math.default
_flash = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default
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


def _chosen(
    given: tuple[Any, ...], dropout_p: float, is_causal: bool, scale: float | None, gqa: bool
) -> int:
    with torch._C._AutoDispatchBelowAutograd(), torch._C.DisableTorchFunction():
        held: list[Any] = [tensor if tensor is None else on_host(tensor) for tensor in given]
        if given[3] is not None and given[3].requires_grad:
            held[3].requires_grad_()
        chosen: int = _choice(*held, dropout_p, is_causal, scale=scale, enable_gqa=gqa)
        return chosen


def install(aten: torch.library.Library) -> None:
    """Take the place of torch's own choice, with and without gradients."""
    for key in ("AutogradPrivateUse1", "PrivateUse1"):
        aten.impl("scaled_dot_product_attention", attention, key)
