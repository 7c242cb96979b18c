"""What the recordings of a program come to."""

from __future__ import annotations

import pytest

from neuron_migrate.rehearsal.model import Explanation
from neuron_migrate.rehearse.recording import Line, Memory, Note, Outcome, Synchronisation, Transfer
from tests.rehearsal.factory import GIB, STEP, TRAIN, operator, raised, recording, rehearsal

USED = operator("aten::relu", (2, 3))


@pytest.mark.parametrize(
    ("outcome", "status", "ending"),
    [
        (Outcome("finished"), 0, "finished"),
        (Outcome("exited", 4), 4, "exited"),
        (raised("ValueError", "no"), 1, "raised"),
        (raised("KeyboardInterrupt", ""), 1, "interrupted"),
        (Outcome("finished"), -11, "killed"),
    ],
)
def test_how_it_ended(outcome: Outcome, status: int, ending: str) -> None:
    assert rehearsal(recording(USED, outcome=outcome), status=status).outcome.ending == ending


def test_no_recording_at_all() -> None:
    found = rehearsal(status=-9)
    assert (found.outcome.ending, found.outcome.status, found.faults) == ("killed", -9, ())


def test_what_a_worker_did_is_not_the_script() -> None:
    found = rehearsal(recording(USED, kind="worker"), status=-9)
    assert (found.outcome.ending, found.bill.total) == ("killed", 1)


def test_only_an_exception_is_explained() -> None:
    explained = (Explanation(message="because"),)
    for outcome, expected in [
        (raised("ValueError", "no"), explained),
        (raised("KeyboardInterrupt", ""), ()),
        (Outcome("exited", 2), ()),
    ]:
        found = rehearsal(recording(outcome=outcome), status=1, explain=lambda _: explained)
        assert found.outcome.explanations == expected


def test_copies_and_waits_of_all_processes_by_line() -> None:
    each = {
        "transfers": (Transfer("to_device", TRAIN, 2, 10), Transfer("to_host", STEP, 1, 100)),
        "synchronisations": (Synchronisation("item", STEP, 2),),
    }
    found = rehearsal(recording(**each), recording(**each))
    assert [(str(t.place), t.direction, t.count, t.bytes) for t in found.transfers] == [
        ("train.py:8", "to_host", 2, 200),
        ("train.py:6", "to_device", 4, 20),
    ]
    assert [(str(w.place), w.kind, w.count) for w in found.waits] == [("train.py:8", "item", 4)]


def test_lines_outside_the_folder_keep_their_path() -> None:
    away = Transfer("to_device", Line("/elsewhere/x.py", 3), 1, 1)
    nowhere = Transfer("to_device", Line("", 0), 1, 0)
    found = rehearsal(recording(transfers=(away, nowhere)))
    places = [str(each.place) for each in found.transfers]
    assert places == ["/elsewhere/x.py:3", "outside the program"]


@pytest.mark.parametrize(
    ("graph", "support"), [("", "falls_back"), ("forward", "fails")], ids=["eager", "compiled"]
)
def test_an_operator_that_does_not_compile(graph: str, support: str) -> None:
    found = rehearsal(recording(operator("aten::topk", (9,), dtype="int64", graph=graph)))
    (use,) = found.operators
    assert (use.support, use.rule) == (support, "NM901")
    assert [fault.kind for fault in found.faults] == (["operator-fails"] if graph else [])


def test_an_operand_that_does_not_matter() -> None:
    """The index of a scatter is an integer always."""
    from neuron_migrate.rehearse.recording import Operator, Tensor

    operands = (Tensor((9,), "float32"), Tensor((9,), "int64"), Tensor((9,), "float32"))
    found = rehearsal(recording(Operator("aten::scatter_add_", operands, TRAIN, 1)))
    assert [(use.support, use.rule) for use in found.operators] == [("unknown", "")]


def test_dtypes() -> None:
    calls = [
        operator("aten::add.Tensor", (2,), dtype=dtype)
        for dtype in ("int64", "float64", "complex64", "float8_e4m3fn", "float32", "int32")
    ]
    found = rehearsal(recording(*calls)).dtypes
    assert [(use.kind, use.dtype) for use in found] == [
        ("64-bit", "float64"),
        ("64-bit", "int64"),
        ("complex", "complex64"),
        ("fp8", "float8_e4m3fn"),
    ]


def test_memory_beyond_a_core() -> None:
    cores = (Memory(0, 0, 24 * GIB, TRAIN), Memory(1, 0, 24 * GIB + 1, STEP))
    found = rehearsal(recording(USED, memory=cores))
    assert [core.core for core in found.memory.cores] == [1, 0]
    (fault,) = found.faults
    assert (fault.kind, str(fault.places[0])) == ("memory", "train.py:8")


def test_a_device_that_nobody_used() -> None:
    assert [fault.kind for fault in rehearsal(recording()).faults] == ["device-unused"]
    moved = recording(transfers=(Transfer("to_device", TRAIN, 1, 4),))
    assert rehearsal(moved).faults == ()


def test_a_program_that_failed_has_no_faults_beside() -> None:
    assert rehearsal(recording(outcome=Outcome("exited", 1)), status=1).faults == ()


def test_notes_once() -> None:
    one, other = Note("a", TRAIN), Note("a", STEP)
    (found,) = rehearsal(recording(USED, notes=(one, other)), recording(notes=(one,))).notes
    assert (found.text, [*map(str, found.places)]) == ("a", ["train.py:6", "train.py:8"])


def test_what_a_rank_raised_comes_before_what_its_launcher_says() -> None:
    launcher = recording(outcome=raised("ChildFailedError", "a rank failed"))
    rank = recording(USED, kind="rank", rank=1, outcome=raised("ValueError", "no"))
    found = rehearsal(launcher, rank, status=1).outcome
    assert (found.exception, found.rank) == ("ValueError", 1)
