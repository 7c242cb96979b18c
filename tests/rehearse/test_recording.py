"""What the recording says of a program: outcome, lines, counts, bytes, and other processes."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from neuron_migrate.rehearse.recording import Recording
    from tests.rehearse.conftest import Run


def calls(recording: Recording, name: str) -> dict[tuple[tuple[tuple[int, ...], ...], int], int]:
    """How often an operator was called, by shapes and line number."""
    return {
        (tuple(operand.shape for operand in operator.operands), operator.line.number): (
            operator.count
        )
        for operator in recording.operators
        if operator.name == name
    }


def test_operators_by_shape_and_line(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        def double(x):
            return x * 2
        for size in (3, 4, 3, 3):
            double(torch.empty(size, device="neuron"))
        torch.empty(3, device="neuron") * 2
        """)
    assert calls(recording, "aten::mul.Tensor") == {
        (((3,),), 4): 3,
        (((4,),), 4): 1,
        (((3,),), 7): 1,
    }
    functions = {operator.line.function for operator in recording.operators}
    assert functions == {"double", "<module>"}


def test_backward_operators_belong_to_the_forward_line(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        x = torch.empty(3, device="neuron", requires_grad=True)
        y = x.exp()
        z = y.tanh()
        s = z.sum()
        s.backward()
        """)
    assert calls(recording, "aten::tanh_backward") == {(((3,), (3,)), 5): 1}
    assert calls(recording, "aten::mul.Tensor") == {(((3,), (3,)), 4): 1}


def test_operators_without_gradients_leave_those_before_them_their_line(
    rehearse: Callable[..., Run],
) -> None:
    _, (recording,) = rehearse("""
        import torch
        x = torch.empty(3, device="neuron", requires_grad=True)
        y = x.tanh()
        z = torch.empty(3, device="neuron") + 1
        (y * z).sum().backward()
        """)
    assert calls(recording, "aten::tanh_backward") == {(((3,), (3,)), 4): 1}


def test_transfers_and_waits(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        x = torch.zeros(10).to("neuron")
        for _ in range(3):
            x.sum().item()
        if x[0] > 0: pass
        x.cpu()
        x.to("neuron:1")
        torch.neuron.synchronize()
        """)
    transfers = {(t.direction, t.line.number): (t.count, t.bytes) for t in recording.transfers}
    assert transfers == {
        ("to_device", 3): (1, 40),
        ("to_host", 7): (1, 40),
        ("between_devices", 8): (1, 40),
    }
    waits = {(wait.kind, wait.line.number): wait.count for wait in recording.synchronisations}
    assert waits == {("item", 5): 3, ("item", 6): 1, ("synchronize", 9): 1}


def test_the_peak_of_each_core_and_its_line(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        a = torch.empty(100, device="neuron")
        b = a.neg()
        del a
        c = torch.empty(10, device="neuron:1", dtype=torch.bfloat16)
        """)
    first, second = recording.memory
    assert (first.core, first.peak, first.peak_line.number) == (0, 800, 4)
    assert (second.core, second.peak, second.peak_line.number) == (1, 20, 6)


def test_a_program_that_raises(rehearse: Callable[..., Run]) -> None:
    done, (recording,) = rehearse("""
        import torch
        def add(x):
            return x + torch.ones(3)
        add(torch.ones(3, device="neuron"))
        """)
    assert done.returncode == 1
    assert "neuron_migrate" not in done.stderr.partition("Traceback")[2]
    outcome = recording.outcome
    assert (outcome.status, outcome.exception) == ("raised", "RuntimeError")
    assert "at least two devices" in outcome.message
    assert [(frame.line.number, frame.own) for frame in outcome.frames] == [(5, True), (4, True)]


def test_exit_codes_and_arguments(rehearse: Callable[..., Run]) -> None:
    done, (recording,) = rehearse(
        """
        import sys
        assert __name__ == "__main__" and sys.path[0] in sys.argv[0]
        sys.exit(int(sys.argv[2]))
        """,
        "--epochs",
        "3",
    )
    assert (done.returncode, recording.outcome.status) == (3, "exited")
    assert recording.command[1:] == ("--epochs", "3")


def test_processes_that_the_program_starts(rehearse: Callable[..., Run]) -> None:
    done, recordings = rehearse("""
        import multiprocessing, subprocess, sys
        import torch
        def work():
            torch.zeros(3, device="neuron") + 1
        if __name__ == "__main__":
            for method in ("fork", "spawn"):
                process = multiprocessing.get_context(method).Process(target=work)
                process.start()
                process.join()
                assert process.exitcode == 0
            program = "import torch; torch.ones(1, device='neuron'); 1 / 0"
            subprocess.run([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
            subprocess.run([sys.executable, "-c", "import torch"])
        """)
    assert done.returncode == 0, done.stderr
    assert Counter(recording.kind for recording in recordings) == {"script": 1, "worker": 3}
    additions = [calls(recording, "aten::add.Tensor") for recording in recordings]
    assert additions.count({(((3,),), 5): 1}) == 2
    assert [recording.outcome.exception for recording in recordings].count("ZeroDivisionError") == 1


def test_reading_needs_no_torch() -> None:
    program = "import sys; from neuron_migrate.rehearse import recording, lines; "
    check = program + "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


def test_what_is_compiled_in_beside_tensors(rehearse: Callable[..., Run]) -> None:
    """Dimensions, dtypes and modes; no numbers that may be inputs, and nothing that is default."""
    _, (recording,) = rehearse("""
        import torch
        x = torch.ones(2, 3, device="neuron")
        x.sum(dim=0)
        x.sum(dim=1, dtype=torch.float16)
        torch.nn.functional.gelu(x, approximate="tanh")
        x * 2
        x * 3
        """)
    found = [
        (operator.name, operator.attributes, operator.count)
        for operator in recording.operators
        if operator.line.number > 3
    ]
    assert found == [
        ("aten::sum.dim_IntList", ("dim=(0,)",), 1),
        ("aten::sum.dim_IntList", ("dim=(1,)", "dtype=float16"), 1),
        ("aten::gelu", ("approximate=tanh",), 1),
        ("aten::mul.Tensor", (), 1),
        ("aten::mul.Tensor", (), 1),
    ]


def test_results_that_only_numbers_tell_the_size_of(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        for n in (5, 7, 5):
            torch.arange(n, device="neuron")
        """)
    assert calls(recording, "aten::arange.start_out") == {(((5,),), 4): 2, (((7,),), 4): 1}


def test_parameters_and_what_autograd_runs(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        layer = torch.nn.Linear(4, 2).to("neuron")
        layer(torch.ones(3, 4, device="neuron")).sum().backward()
        """)
    assert set(recording.parameters) == {(2, 4), (2,)}
    backward = {operator.name for operator in recording.operators if operator.backward}
    forward = {operator.name for operator in recording.operators if not operator.backward}
    assert "aten::mm" in backward
    assert "aten::addmm" in forward - backward


def test_printing_is_said_to_compile(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        x = torch.ones(2, device="neuron")
        print(x)
        print(x.cpu())
        """)
    assert {note.line.number for note in recording.notes} == {4}
    lines = {operator.line.number for operator in recording.operators}
    assert 4 in lines
    assert 5 not in lines


def test_a_process_that_is_killed_leaves_what_ran_until_then(
    rehearse: Callable[..., Run],
) -> None:
    done, (recording,) = rehearse("""
        import os, signal, torch
        from neuron_migrate.rehearse import recorder
        from neuron_migrate.rehearse.state import state
        state.recorder._due = 0
        x = torch.ones(2, device="neuron")
        for _ in range(recorder.EVERY):
            x + 1
        os.kill(os.getpid(), signal.SIGKILL)
        """)
    assert done.returncode == -9
    assert recording.outcome.status == "running"
    assert calls(recording, "aten::add.Tensor")[(((2,),), 8)] >= 60


def test_the_end_replaces_what_was_kept_meanwhile(rehearse: Callable[..., Run]) -> None:
    _, (recording,) = rehearse("""
        import torch
        from neuron_migrate.rehearse import recorder
        from neuron_migrate.rehearse.state import state
        state.recorder._due = 0
        x = torch.ones(2, device="neuron")
        for _ in range(recorder.EVERY + 1):
            x + 1
        """)
    assert recording.outcome.status == "finished"
    assert calls(recording, "aten::add.Tensor") == {(((2,),), 8): 65}
