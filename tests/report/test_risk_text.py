from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.report import layout, risk_text
from neuron_migrate.report.risk import Skip, summarise
from neuron_migrate.report.risk_text import Applied
from tests.report import factory as make

if TYPE_CHECKING:
    from neuron_migrate.finding import FileResult, Finding

LIMITS = """\
What reading cannot tell
  * CPU fallbacks at run time: an operator without a Neuron kernel runs on the
    CPU, correct but slow. After a few steps call torch.neuron.synchronize(),
    then read torch_neuronx.get_fallback_ops().
  * Compilation: every new input shape costs about a minute. Run with
    TORCH_LOGS="recompiles,graph_breaks" and look for shapes that never settle.
  * Numerics: 64-bit types are computed in 32 bits, and random streams differ
    from CUDA. Compare losses and a few outputs with a CPU run.
  * Cost and speed: only a run on the instance you will pay for shows them.
"""


def _render(*results: FileResult, applied: Applied | None = None) -> str:
    return risk_text.render(summarise(results), applied)


def test_everything_at_once() -> None:
    train = make.result(make.finding(), make.unsafe(), make.blocker(line=20), make.advice())
    broken = make.result(make.failure(path="b.py", line=7), path="b.py", failed=True)
    other = make.result(make.finding(path="c.py", confidence="unverified"), path="c.py")
    skipped = [Skip("d.py", "a link that leads nowhere"), Skip("e.py", "a link out", failed=False)]
    assert risk_text.render(summarise([train, broken, other], skipped)) == (
        """\
Verdict: blocked: 1 of 3 files needs something that has no Neuron path.
3 files read, 3 with findings, 2 not analysed.

Blockers
  * train.py:20:10 NM701 cuda-extension: The device "cuda" does not exist on
    Trainium: torch raises here. (it is built at run time)
    Way out: neuron-migrate explain NM701

Not analysed
  * b.py:7:10: cannot be parsed: invalid syntax
  * d.py: a link that leads nowhere

Left out on purpose
  * e.py: a link out

By risk
             findings  fix --apply  --unsafe  by hand  to know
  breaks            4            2         -        2        -
  cpu               1            -         1        -        -
  total             5            2         1        2        -

By family
             findings  fix --apply  --unsafe  by hand  to know
  tool              1            -         -        1        -
  device            3            2         1        -        -
  libraries         1            -         -        1        -

What is left
  * neuron-migrate fix --apply fixes 2 findings.
  * With --unsafe it would fix 1 more, which changes behaviour: read that diff.
  * 2 findings left for a person to do by hand.

Files with most left
  verdict  by hand  --unsafe  fix --apply  effort  file
  blocked        1         1            1    high  train.py
  manual         1         -            -    none  b.py
  auto           -         -            1    none  c.py

Unverified on hardware
  1 finding: NM101. Nobody ran these on Trainium: what they say is likely, not
  proven. Try them first on hardware.

Advice
  NM210. Reading cannot prove these; list them with --show-advice.

"""
        + LIMITS
    )


@pytest.mark.parametrize(
    ("findings", "sentence"),
    [
        ([], "Verdict: ready: reading finds nothing left to do."),
        (
            [make.finding()],
            "Verdict: auto: neuron-migrate fix --apply does all that is left, in 1 of 2\nfiles.",
        ),
        ([make.manual()], "Verdict: manual: a person must act on 1 of 2 files."),
        (
            [make.blocker()],
            "Verdict: blocked: 1 of 2 files needs something that has no Neuron path.",
        ),
    ],
)
def test_the_verdict_comes_first(findings: list[Finding], sentence: str) -> None:
    text = _render(make.result(*findings), make.result(path="b.py"))
    assert text.startswith(f"{sentence}\n2 files read, ")


def test_a_ready_tree_still_has_what_reading_cannot_tell() -> None:
    ready = (
        "Verdict: ready: reading finds nothing left to do.\n"
        "1 file read, 0 with findings, 0 not analysed.\n\n"
    )
    assert _render(make.result()) == ready + LIMITS


def test_nothing_read_is_not_called_ready_code() -> None:
    assert _render() == "Verdict: ready: there was nothing to read.\n"


def test_after_apply_it_says_what_was_done() -> None:
    text = _render(make.result(make.manual()), applied=Applied(3, 2))
    assert "Fixed 3 findings in 2 files. neuron-migrate undo takes it back.\n" in text
    assert "Nothing was written.\n" in _render(make.result(), applied=Applied(0, 0))


def test_long_lists_are_cut_and_counted() -> None:
    results = [make.result(make.blocker(path=f"{n}.py"), path=f"{n}.py") for n in range(13)]
    text = _render(*results)
    assert text.count("Way out") == layout.TOP
    assert text.count("  ... and 3 more\n") == 2


def test_it_fits_eighty_columns_and_has_no_colour() -> None:
    long = make.manual(message="word " * 80, confidence="unverified", blocked=True)
    text = _render(*[make.result(long, make.unsafe(), make.advice())] * 12)
    assert max(map(len, text.split("\n"))) <= 80
    assert "\x1b" not in text


def test_a_path_cannot_forge_a_verdict() -> None:
    path = "a\nVerdict: ready\x1b[2J.py"
    text = _render(make.result(make.blocker(path=path), path=path))
    assert text.count("\nVerdict") == 0
    assert "\x1b" not in text
