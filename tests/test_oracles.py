"""The oracles see the faults they are there for."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec
import pytest

from neuron_migrate.finding import Edit
from tests import oracles
from tests.cases import Pass, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.cases import Run

TEXT = "import torch\r\n# why\r\nx = torch.ones(2).cuda()\r\ny = torch.compile(x)  # slow\r\n"


def tampered(change: Callable[[str], str]) -> Run:
    """A run whose last text came out otherwise."""
    done = run(TEXT.encode(), "neuron")
    last = done.passes[-1]
    text = change(last.text)
    passes = (*done.passes[:-1], Pass(text, last.findings))
    return replace(done, passes=passes, fixed=replace(done.fixed, text=text))


def test_a_sound_run() -> None:
    assert oracles.faults(run(TEXT.encode(), "neuron")) == []
    assert run(TEXT.encode(), "neuron").fixed.text != TEXT


@pytest.mark.parametrize(
    ("change", "oracle"),
    [
        (lambda text: text + "(", oracles.parses),
        pytest.param(
            lambda text: text + "type X[T] = 1",
            oracles.parses,
            marks=pytest.mark.skipif(sys.version_info >= (3, 12), reason="not newer any more"),
        ),
        (lambda text: text.replace("x = ", "x  = "), oracles.changes_only_reported_spans),
        (lambda text: text + "\r\n", oracles.changes_only_reported_spans),
        (lambda text: text.replace("# why", "# Why"), oracles.keeps_comments),
        (lambda text: text.replace("  # slow", ""), oracles.keeps_comments),
        (lambda text: text.replace("\r\n", "\n", 1), oracles.keeps_line_ends),
        (lambda text: text + "z = x.cuda()\r\n", oracles.is_stable),
    ],
)
def test_a_fault_is_seen(
    change: Callable[[str], str], oracle: Callable[[Run], Iterator[str]]
) -> None:
    assert list(oracle(tampered(change)))


@pytest.mark.parametrize(
    ("given", "oracle"),
    [
        ({"fix": None}, oracles.explains_itself),
        ({"fix": "unsafe", "not_fixed": None}, oracles.explains_itself),
        ({"end_line": 1, "end_column": 1}, oracles.explains_itself),
        ({"message": "another"}, oracles.skips_only_what_cannot_match),
    ],
)
def test_an_odd_finding_is_seen(
    given: dict[str, object], oracle: Callable[[Run], Iterator[str]]
) -> None:
    done = run(TEXT.encode(), "neuron")
    first = (msgspec.structs.replace(done.first[0], **given), *done.first[1:])
    assert list(oracle(replace(done, fixed=replace(done.fixed, first=first))))


def test_edits_that_overlap_are_seen() -> None:
    done = run(TEXT.encode(), "neuron")
    finding = msgspec.structs.replace(done.first[0], edits=(Edit(0, 3, ""), Edit(2, 4, "")))
    passes = (Pass(done.passes[0].text, (finding, *done.first[1:])), *done.passes[1:])
    assert any("overlap" in each for each in oracles.faults(replace(done, passes=passes)))
