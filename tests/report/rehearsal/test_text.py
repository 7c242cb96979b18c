"""The report that a person reads."""

from __future__ import annotations

import pytest

from neuron_migrate.rehearse.recording import Compilation, Line, Operator, Outcome, Transfer
from neuron_migrate.report.rehearsal import text, words
from tests.rehearsal.factory import STEP, everything, operator, raised, recording, rehearsal


def render(*operators: Operator, **more: object) -> str:
    return text.render(rehearsal(recording(*operators, **more)), sdk="2.33")


def test_it_is_labelled_as_a_simulation() -> None:
    assert "A simulation on the CPU, not a run on Trainium." in render()


def test_every_part_of_it() -> None:
    shown = " ".join(text.render(everything(), sdk="2.33").split())
    for part in (
        "train.py:6 in main loss = model(x) RuntimeError: NCC_EVRF013: no",
        "8 compilations (2 graphs of torch.compile), 16 seconds to 8 minutes.",
        "Padded to multiples of 128: 5",
        "train.py:8 main: 2 compilations, padded 1",
        "train.py:6 aten::embedding 12x{17,23,31}: 2 more",
        "train.py:6 to the device 6 8.0 KiB",
        "train.py:8 item 6",
        "does not compile: 1 operator * aten::topk (NM901, 2 calls): train.py:6",
        "may run on the CPU: 1 operator * aten::scatter_add_ (NM903, 2 calls): train.py:8",
        "not known: 2 operators",
        "complex64: 2 calls",
        "float8_e4m3fn: 2 calls, outside the program",
        "rank 1, core 1: peak 40.0 GiB of 24.0 GiB, reached at train.py:6",
        "* forward of float32 4x{17,23}: 2 graphs, padded 1, 8 calls",
        "* recompiled at train.py:8 (4 times): size mismatch",
        "train.py:8 allreduce 2 3 4.0 KiB",
        "rank 1 raised 8 40.0 GiB 1.0 s worker finished 0 0 B 1.0 s",
        "Notes * something to know (train.py:6)",
    ):
        assert part in shown, part


def test_control_characters_are_spelled_out() -> None:
    shown = text.render(everything(), sdk="2.33")
    assert "\x1b" not in shown
    assert "data \\x1b.py:3" in shown


def test_long_lists_say_what_they_leave_out() -> None:
    lines = [Line("/work/project/a.py", number) for number in range(1, 13)]
    moved = tuple(Transfer("to_device", line, 1, line.number) for line in lines)
    calls = [operator("aten::relu", (line.number,), line=line) for line in lines]
    shown = render(*calls, transfers=moved)
    assert shown.count("... and 2 more") == 2
    assert "a.py:12  to the device" in shown


def test_what_no_rule_explains_is_said() -> None:
    assert words.UNEXPLAINED in " ".join(render(outcome=raised("ValueError", "no")).split())


def test_a_process_that_left_no_recording() -> None:
    shown = " ".join(text.render(rehearsal(status=-9), sdk="2.33").split())
    assert "It ended by signal 9 (out of memory on this machine?) before it could" in shown
    assert "Compilations" not in shown


def test_faults() -> None:
    shown = " ".join(render().split())
    assert "Faults * nothing ran on the Neuron device: the program kept to the CPU" in shown


def test_a_process_that_was_killed_after_a_snapshot() -> None:
    shown = " ".join(render(outcome=Outcome("running")).split())
    assert "It ended with status 0; what follows is what ran until shortly before." in shown


def test_ranks_that_did_the_same_are_one_row() -> None:
    ranks = [recording(kind="rank", rank=rank, process=rank) for rank in range(4)]
    shown = " ".join(text.render(rehearsal(recording(process=9), *ranks), sdk="2.33").split())
    assert "script finished 0 0 B 1.0 s ranks 0-3 finished 0 0 B 1.0 s" in shown


@pytest.mark.parametrize(
    ("kind", "faults"), [("failure", 1), ("limit", 1), ("fallback", 0), ("break", 0)]
)
def test_regions_that_do_not_run_compiled(kind: str, faults: int) -> None:
    event = Compilation(kind, STEP, STEP, "because")
    found = rehearsal(recording(operator("aten::relu", (2,)), compilations=(event,)))
    assert [each.kind for each in found.faults] == ["not-compiled"] * faults
    assert "because" in text.render(found, sdk="2.33")
