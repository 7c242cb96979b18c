"""Compile counts against counts made by hand."""

from __future__ import annotations

import pytest

from neuron_migrate.rehearsal.model import Seconds
from neuron_migrate.rehearse.recording import Line, Operator
from tests.rehearsal.factory import STEP, TRAIN, graph, operator, recording, rehearsal


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
    graphs = tuple(graph(f"d{n}", (2, n), first=n) for n in (17, 23))
    inside = [operator("aten::relu", (2, n), graph=f"d{n}", first=n) for n in (17, 23)]
    found = rehearsal(recording(*inside, operator("aten::relu", (2, 17)), graphs=graphs))
    assert (found.bill.eager, found.bill.regions, found.bill.padded) == (1, 2, 2)
    (region,) = found.regions
    assert (region.graphs, region.padded) == (2, 1)
    (captured,) = region.captured
    assert (captured.inputs, captured.calls) == (("float32 2x{17,23}",), 4)


def test_graphs_are_told_apart_by_their_text_alone() -> None:
    """Equal operators and inputs, other text; and the same text from two functions."""
    graphs = (graph("a", (2, 17)), graph("b", (2, 17)), graph("a", (2, 17), region=STEP))
    bill = rehearsal(recording(graphs=graphs)).bill
    assert (bill.regions, bill.padded) == (2, 2)


def test_graphs_that_differ_in_more_than_lengths_stay_two_when_padded() -> None:
    graphs = [graph("a", (17,)), graph("b", (17,), first=1), graph("c", (23,), first=2)]
    assert rehearsal(recording(graphs=tuple(graphs))).bill.padded == 2


def test_what_is_compiled_in_makes_a_compilation() -> None:
    calls = [operator("aten::sum", (2, 3), attributes=(f"dim=({n},)",)) for n in (0, 1, 1)]
    assert counts(*calls) == (2, 2)


def test_lengths_in_attributes_are_padded_with_those_of_operands() -> None:
    """The sizes that a backward is given, which are no operand; without one they are kept."""
    calls = [
        operator("aten::slice_backward", (4, n), attributes=(f"sizes=(4, {n + 1})",), first=n)
        for n in (17, 23)
    ]
    assert counts(*calls) == (2, 1)
    select = [operator("aten::sum", (4,), attributes=(f"dim={n}",), first=n) for n in (0, 1)]
    assert counts(*select) == (2, 2)


def test_a_loop_over_parameters_that_waits_for_each_does_not_vary() -> None:
    shapes = [(4, 8), (4,), (10, 4), (10,)]
    calls = [operator("aten::norm", shape, first=first) for first, shape in enumerate(shapes)]
    bill = rehearsal(recording(*calls, parameters=tuple(shapes))).bill
    assert (bill.total, bill.padded, bill.varying) == (4, 4, ())
    assert counts(*calls) == (4, 2)


def test_layers_that_are_waited_for_one_after_the_other_do_not_vary() -> None:
    """Their weights say that they are two; the length that comes later belongs to the second."""
    calls = [
        operator("aten::mm", (17, 8), (8, 4), first=0),
        operator("aten::mm", (17, 4), (4, 10), first=1),
        operator("aten::mm", (23, 4), (4, 10), first=2),
    ]
    bill = rehearsal(recording(*calls, parameters=((4, 8), (10, 4)))).bill
    assert (bill.total, bill.padded) == (3, 2)


def test_what_autograd_runs_for_a_line_does_not_vary_from_the_line() -> None:
    """A model that is evaluated first, and trained then: its backward comes later."""
    calls = [
        operator("aten::mm", (256, 32), (32, 96)),
        operator("aten::mm", (96, 256), (256, 32), first=1, backward=True),
    ]
    assert counts(*calls) == (2, 2)


def test_what_ranks_have_in_common_is_counted_once() -> None:
    shared, own = operator("aten::relu", (2, 3)), operator("aten::relu", (2, 4))
    both = rehearsal(recording(shared, rank=0), recording(shared, own, rank=1))
    assert both.bill.total == 2
    assert [each.compilations for each in both.processes] == [1, 2]


def test_the_time_is_from_and_to() -> None:
    bill = rehearsal(recording(operator("aten::relu", (2, 3)))).bill
    assert bill.seconds == bill.padded_seconds == Seconds(least=2, most=60)


def test_without_an_order_nothing_is_said_of_padding() -> None:
    calls = [operator("aten::relu", (n,), first=-1) for n in (17, 23)]
    assert counts(*calls) == (2, None)


def test_padding_never_costs_more() -> None:
    """The same shapes stand at other lines too, where they do not vary."""
    calls = [operator("aten::relu", (n,), first=n) for n in (17, 23)]
    calls += [operator("aten::relu", (n,), line=Line("/a.py", n)) for n in (17, 23)]
    assert counts(*calls) == (2, 2)
