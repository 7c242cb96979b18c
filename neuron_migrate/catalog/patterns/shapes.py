"""What varies the shape of a tensor."""

from __future__ import annotations

from neuron_migrate.catalog.patterns.base import Pattern


class GrowthMatch(Pattern, frozen=True, kw_only=True, tag="growth"):
    """Tensors that get longer with every round of a loop, or with every call of a method."""

    functions: tuple[str, ...]
    """Dotted paths of what joins tensors."""
    earlier: tuple[str, ...] = ()
    """Words in the name of what was kept from the rounds before, such as ``past``."""
    elsewhere: tuple[str, ...] = ()
    """Methods in the statement that show the tensor to be on the host."""


class DataSizeMatch(Pattern, frozen=True, kw_only=True, tag="data-size"):
    """Sizes that are read from a tensor's values: bounds of slices and sizes of new tensors."""

    reads: tuple[str, ...]
    """Methods that bring a value to Python, such as ``item``."""
    functions: tuple[str, ...]
    """Dotted paths of what takes a size."""
    once: tuple[str, ...] = ()
    """Functions in which it means nothing: they run once, or on the host."""
    not_given_to: tuple[str, ...] = ()
    """Variables for a number that the settings decide, not the data."""
