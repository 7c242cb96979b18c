"""Compile counts against counts made by hand."""

from __future__ import annotations

import pytest

from neuron_migrate.rehearse.recording import Line, Operator
from tests.rehearsal.factory import STEP, TRAIN, operator, recording, rehearsal


def counts(*operators: Operator) -> tuple[int, int | None]:
    bill = rehearsal(recording(*operators)).bill
    return bill.total, bill.padded


def test_equal_calls_are_compiled_once_wherever_they_stand() -> None:
    calls = [operator("aten::relu", (2, 3), line=line) for line in (TRAIN, STEP)]
    assert counts(*calls) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        operator("aten::neg", (2, 3)),
        operator("aten::relu", (2, 4)),
        operator("aten::relu", (2, 3), dtype="bfloat16"),
        operator("aten::relu.out", (2, 3)),
    ],
)
def test_operator_overload_shape_and_dtype_make_a_compilation(other: Operator) -> None:
    assert counts(operator("aten::relu", (2, 3)), other) == (2, 2)


def test_lengths_of_an_unpadded_loader() -> None:
    """17, 23, 31 and 130: four shapes, padded 128 and 256."""
    lengths = enumerate((17, 23, 31, 130))
    assert counts(*(operator("aten::relu", (12, n, 8), first=i) for i, n in lengths)) == (4, 2)


def test_a_padded_loader() -> None:
    lengths = enumerate((128, 256))
    assert counts(*(operator("aten::relu", (12, n, 8), first=i) for i, n in lengths)) == (2, 2)


def test_layers_of_different_sizes_do_not_vary() -> None:
    """Two layers at one line, and the parameters of an optimizer: nothing to pad."""
    layers = [
        operator("aten::addmm", (4,), (12, 8), (8, 4)),
        operator("aten::addmm", (10,), (12, 4), (4, 10)),
        *(operator("aten::mul_", shape, line=STEP) for shape in [(4,), (10,), (4, 8), (4, 10)]),
    ]
    assert counts(*layers) == (6, 6)


def test_a_flattened_length_is_padded_as_the_length_in_it() -> None:
    """204 is 12 * 17, 276 is 12 * 23: both 12 * 128, where 204 and 276 alone would be two."""
    calls = [
        each
        for first, n in enumerate((17, 23))
        for each in (
            operator("aten::addmm", (4,), (12 * n, 8), (8, 4), first=first),
            operator("aten::sum", (12, n, 4), first=first),
        )
    ]
    assert counts(*calls) == (4, 2)


def test_a_flattened_length_alone_is_padded_itself() -> None:
    calls = [operator("aten::mm", (12 * n, 8), (8, 4), first=n) for n in (17, 23)]
    assert counts(*calls) == (2, 2)


def test_batch_and_length_that_vary_together() -> None:
    """The last batch is smaller; flattened it is a product of two sizes that vary."""
    calls = [
        each
        for first, (batch, n) in enumerate([(12, 17), (12, 23), (5, 31)])
        for each in (
            operator("aten::embedding", (12 + 90, 8), (batch, n), first=first),
            operator("aten::mm", (batch * n, 8), (8, 4), first=first),
        )
    ]
    assert counts(*calls) == (6, 2)


def test_several_layers_at_a_line_are_matched_by_what_stays() -> None:
    calls = [
        operator("aten::mm", (n, inner), (inner, outer), first=first)
        for first, n in enumerate((17, 23, 31))
        for inner, outer in ((8, 4), (4, 10))
    ]
    assert counts(*calls) == (6, 2)


def test_lines_and_what_varied_at_them() -> None:
    calls = [operator("aten::relu", (12, n, 8), first=n, count=2) for n in (17, 23, 31, 40, 50)]
    calls.append(operator("aten::mul_", (4,), line=STEP))
    bill = rehearsal(recording(*calls)).bill
    assert [(str(s.place), s.compilations, s.padded, s.calls) for s in bill.sites] == [
        ("train.py:6", 5, 1, 10),
        ("train.py:8", 1, 1, 1),
    ]
    (varying,) = bill.varying
    assert (varying.operand, varying.extra) == ("12x{17,23,31,40,...}x8", 4)


def test_a_region_is_compiled_as_a_whole() -> None:
    """Two graphs of a region and one eager operator; padded, the graphs are one."""
    calls = [
        operator(name, (2, n), graph=f"forward {n}", first=n)
        for n in (17, 23)
        for name in ("aten::relu", "aten::neg")
    ]
    bill = rehearsal(recording(*calls, operator("aten::relu", (2, 17)))).bill
    assert (bill.eager, bill.regions, bill.padded) == (1, 2, 2)


def test_what_ranks_have_in_common_is_counted_once() -> None:
    shared, own = operator("aten::relu", (2, 3)), operator("aten::relu", (2, 4))
    both = rehearsal(recording(shared, rank=0), recording(shared, own, rank=1))
    assert both.bill.total == 2
    assert [each.compilations for each in both.processes] == [1, 2]


def test_the_time_is_from_and_to() -> None:
    bill = rehearsal(recording(operator("aten::relu", (2, 3)))).bill
    assert (bill.seconds, bill.padded_seconds) == ((2, 60), (2, 60))


def test_without_an_order_nothing_is_said_of_padding() -> None:
    calls = [operator("aten::relu", (n,), first=-1) for n in (17, 23)]
    assert counts(*calls) == (2, None)


def test_padding_never_costs_more() -> None:
    """The same shapes stand at other lines too, where they do not vary."""
    calls = [operator("aten::relu", (n,), first=n) for n in (17, 23)]
    calls += [operator("aten::relu", (n,), line=Line("/a.py", n)) for n in (17, 23)]
    assert counts(*calls) == (2, 2)
