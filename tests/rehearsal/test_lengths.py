"""What padding makes of sizes."""

from __future__ import annotations

import pytest

from neuron_migrate.rehearsal.lengths import Lengths, rounded


@pytest.mark.parametrize(("length", "expected"), [(0, 0), (1, 128), (128, 128), (129, 256)])
def test_rounded(length: int, expected: int) -> None:
    assert rounded(length) == expected


def test_sizes_that_are_lengths_themselves() -> None:
    sizes = frozenset({100, 200})
    assert Lengths([sizes]).padded(sizes) == {100: 128, 200: 256}


def test_a_constant_times_a_length() -> None:
    sizes = frozenset({204, 276})
    lengths = Lengths([frozenset({17, 23, 31}), sizes])
    assert lengths.factor(sizes) == 12
    assert lengths.padded(sizes) == {204: 12 * 128, 276: 12 * 128}


def test_one_factor_for_all() -> None:
    """34 is 2 * 17, but 50 is no multiple of a length by 2."""
    sizes = frozenset({34, 50})
    assert Lengths([frozenset({17, 23})]).padded(sizes) == {34: 128, 50: 128}


def test_a_product_of_two_lengths() -> None:
    sizes = frozenset({12 * 17, 5 * 131})
    lengths = Lengths([frozenset({12, 5}), frozenset({17, 131}), sizes])
    assert lengths.padded(sizes) == {204: 128 * 128, 655: 128 * 256}


def test_an_empty_batch() -> None:
    sizes = frozenset({0, 17})
    assert Lengths([frozenset({1, 17}), sizes]).padded(sizes) == {0: 0, 17: 128}
