"""The report that a person reads."""

from __future__ import annotations

from neuron_migrate.rehearse.recording import Line, Operator, Transfer
from neuron_migrate.report.rehearsal import text, words
from tests.rehearsal.factory import everything, operator, raised, recording, rehearsal


def render(*operators: Operator, **more: object) -> str:
    return text.render(rehearsal(recording(*operators, **more)), sdk="2.33")


def test_it_is_labelled_as_a_simulation() -> None:
    assert "A simulation on the CPU, not a run on Trainium." in render()


def test_every_part_of_it() -> None:
    shown = " ".join(text.render(everything(), sdk="2.33").split())
    for part in (
        "train.py:6 in main loss = model(x) RuntimeError: NCC_EVRF013: no",
        "7 compilations (1 region of torch.compile), 14 seconds to 7 minutes.",
        "Padded to multiples of 128: 5",
        "train.py:6 aten::embedding 12x{17,23,31}: 2 more",
        "train.py:6 to the device 6 8.0 KiB",
        "train.py:8 item 6",
        "does not compile: 1 operator * aten::topk (NM901, 2 calls): train.py:6",
        "may run on the CPU: 1 operator * aten::scatter_add_ (NM903, 2 calls): train.py:8",
        "not known: 2 operators",
        "complex64: 2 calls",
        "float8_e4m3fn: 2 calls, outside the program",
        "rank 1, core 1: peak 40.0 GiB of 24.0 GiB, reached at train.py:6",
        "rank 1 raised 7 40.0 GiB 1.0 s worker finished 0 0 B 1.0 s",
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
