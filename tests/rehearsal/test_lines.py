from __future__ import annotations

import pytest

from neuron_migrate.rehearsal.lines import lines


@pytest.mark.parametrize(
    ("text", "compared", "aside"),
    [
        ("iter 0: loss 4.2, time 12.5ms, mfu -100.00%", ["0", "4.2"], ["12.5", "-100.00"]),
        ("{'train_runtime': 1.2, 'train_samples_per_second': 3.4, 'loss': 0.5}", ["0.5"],
         ["1.2", "3.4"]),
        ("Epoch: [0]\tTime  0.5 ( 0.6)\tLoss 7.1e+00 (6.9)", ["0", "7.1e+00", "6.9"],
         ["0.5", "0.6"]),
        ("2024-01-01 12:30:00,123 loss=nan", ["nan"], ["2024-01-01 12:30:00,123"]),
        ("tensor([1., -2e-3], device='neuron:0')", ["1.", "-2e-3"], []),
        ("timestep 5 of 7 on neuron:3, 12 tok/s, 1.5 GiB", ["5", "7"], ["12", "1.5"]),
        (" 50%|#####     | 5/10 [00:01<00:01, 4.2it/s]", [], []),
        ("train.py:3: FutureWarning: 17 things", [], []),
    ],
)  # fmt: skip
def test_numbers(text: str, compared: list[str], aside: list[str]) -> None:
    numbers = [number for line in lines(text) for number in line.numbers]
    assert [number.text for number in numbers if not number.aside] == compared
    assert [number.text for number in numbers if number.aside] == aside


def test_devices_and_numbers_are_not_words() -> None:
    first, second = lines("loss 1.5 on neuron:0\nloss 2 on cpu\n")
    assert first.words == second.words == "loss # on DEVICE"
    assert (first.occurrence, second.occurrence, second.number) == (0, 1, 2)
