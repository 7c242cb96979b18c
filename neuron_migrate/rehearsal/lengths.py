"""What padding would do to sizes that vary: a flattened dimension is a product of such lengths."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from neuron_migrate.finding import BUCKET

if TYPE_CHECKING:
    from collections.abc import Iterable

Sizes = frozenset[int]
_MOST = 24
"""Sets of lengths that are tried as factors: the smallest ones."""


class Lengths:
    """The lengths of a program, from all sets of sizes that vary in it."""

    def __init__(self, varying: Iterable[Sizes]) -> None:
        self._sets = sorted(set(varying), key=lambda sizes: (max(sizes), sorted(sizes)))[:_MOST]
        self._padded: dict[Sizes, dict[int, int]] = {}

    def padded(self, sizes: Sizes) -> dict[int, int]:
        """Each size with its lengths rounded up to multiples of ``BUCKET``.

        ``12 * 17`` becomes ``12 * 128`` where 17 is one of the lengths that vary elsewhere, with
        the same factor for all sizes; a product of two lengths has both rounded up.
        """
        known = self._padded.get(sizes)
        if known is None:
            known = self._padded[sizes] = (
                self._flattened(sizes)
                or self._product(sizes)
                or {size: rounded(size) for size in sizes}
            )
        return known

    def factor(self, sizes: Sizes) -> int:
        """The constant that all sizes are a multiple of a length by; 1 for lengths themselves."""
        return max((self._constant(sizes, lengths) for lengths in self._sets), default=1)

    def _flattened(self, sizes: Sizes) -> dict[int, int]:
        factor = self.factor(sizes)
        return {size: factor * rounded(size // factor) for size in sizes} if factor > 1 else {}

    def _constant(self, sizes: Sizes, lengths: Sizes) -> int:
        if lengths == sizes or min(sizes) == 0:
            return 1
        smallest = min(sizes)
        factors = {smallest // length for length in lengths if length and smallest % length == 0}
        fitting = [
            factor
            for factor in factors
            if all(size % factor == 0 and size // factor in lengths for size in sizes)
        ]
        return max(fitting, default=1)

    def _product(self, sizes: Sizes) -> dict[int, int]:
        for one, other in combinations_with_replacement(self._sets, 2):
            found = {size: _split(size, one, other) for size in sizes} if sizes != one else {}
            if found and all(found.values()):
                return found
        return {}


def rounded(length: int) -> int:
    """The next multiple of ``BUCKET``."""
    return -(-length // BUCKET) * BUCKET


def _split(size: int, one: Sizes, other: Sizes) -> int:
    """The product of two rounded lengths; 0 where the size is no product of such."""
    if size in one or size in other:
        return 0
    pairs = ((length, size // length) for length in one if length and size % length == 0)
    return next((rounded(a) * rounded(b) for a, b in sorted(pairs) if b in other), 0)
