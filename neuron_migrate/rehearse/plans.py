"""What the schema of an operator says about how to run it on the device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import torch

from neuron_migrate.rehearse.wide import MOVES

if TYPE_CHECKING:
    from neuron_migrate.rehearse.recorder import Attributes

ANYWHERE = frozenset(
    {
        "aten::copy_",
        "aten::_copy_from",
        "aten::_copy_from_and_resize",
        "aten::index.Tensor",
        "aten::_unsafe_index.Tensor",
        "aten::index_put_",
        "aten::index_put",
        "aten::_index_put_impl_",
        "aten::_unsafe_index_put",
        "aten::_foreach_copy_",
        "aten::set_.source_Tensor",
    }
)
"""Operators that take host tensors beside device tensors, as on every accelerator of torch."""

WAITS = {
    "aten::_local_scalar_dense": "item",
    "aten::nonzero": "nonzero",
    "aten::masked_select": "masked_select",
    "aten::equal": "equal",
    "aten::is_nonzero": "item",
    "aten::unique_dim": "unique",
    "aten::_unique2": "unique",
    "aten::_unique": "unique",
    "aten::unique_consecutive": "unique",
}
"""Operators whose result, or its size, the host has to wait for."""

NAMES = {
    "aten::_scaled_dot_product_flash_attention_for_cpu": "aten::scaled_dot_product_attention",
    "aten::_scaled_dot_product_flash_attention_for_cpu_backward": (
        "aten::scaled_dot_product_attention_backward"
    ),
}
"""Names that say CPU, of what stands for an operator of the device."""

UNCOMPILED = frozenset(
    {"aten::_local_scalar_dense", "aten::empty.memory_format", "aten::empty_strided"}
)

COMPILED_IN = re.compile(r"(Optional\[)?(List\[)?(int|SymInt|bool|str|ScalarType|MemoryFormat)\b")
"""Types of arguments that are compiled in."""
ELSEWHERE = frozenset({"non_blocking", "pin_memory"})
"""Arguments of these types that say where or when, rather than what."""


class Plan:
    """Facts of one overload, read once: what it writes to, whether its results are views."""

    def __init__(self, overload: Any) -> None:
        schema = overload._schema
        self.overload = overload
        self.packet = overload.overloadpacket
        self.tensors = tuple(
            position
            for position, argument in enumerate(schema.arguments)
            if isinstance(argument.type, torch.TensorType)
        )
        self.name: str = NAMES.get(overload.name(), overload.name())
        self.mixes = self.name in ANYWHERE
        self.wait = WAITS.get(self.name, "")
        self.written = tuple(
            (position, argument.name)
            for position, argument in enumerate(schema.arguments)
            if argument.alias_info is not None and argument.alias_info.is_write
        )
        self.views = any(
            result.alias_info is not None and not result.alias_info.is_write
            for result in schema.returns
        )
        self.compiled = not self.views and self.name not in UNCOMPILED
        self.computes = self.compiled and self.name not in MOVES
        chosen = [
            (position, argument)
            for position, argument in enumerate(schema.arguments)
            if COMPILED_IN.match(str(argument.real_type)) and argument.name not in ELSEWHERE
        ]
        self._positions = [(at, each.name) for at, each in chosen if not each.kwarg_only]
        self._names = [each.name for _, each in chosen if each.kwarg_only]

    def attributes(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Attributes:
        """The arguments that are compiled in; those left at their default are not given."""
        given = len(args)
        found = [(name, _fixed(args[at])) for at, name in self._positions if at < given]
        if kwargs:
            found += [(name, _fixed(kwargs[name])) for name in self._names if name in kwargs]
        return tuple(found)


def _fixed(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
