from __future__ import annotations

import pytest

from neuron_migrate.finding import Finding, Risk
from neuron_migrate.report import risk
from neuron_migrate.report.risk import Counts, Skip, summarise
from tests.report import factory as make


@pytest.mark.parametrize(
    ("findings", "verdict"),
    [
        pytest.param([], "ready", id="nothing"),
        pytest.param([make.note()], "ready", id="only something to know"),
        pytest.param([make.advice()], "ready", id="only advice"),
        pytest.param([make.finding()], "auto", id="all fixed"),
        pytest.param([make.finding(risk=Risk.INFO)], "auto", id="a fix of something harmless"),
        pytest.param([make.finding(), make.note(), make.advice()], "auto", id="fixed and to know"),
        pytest.param([make.finding(), make.manual()], "manual", id="one by hand"),
        pytest.param([make.unsafe()], "manual", id="an unsafe fix needs a look"),
        pytest.param([make.unsafe(risk=Risk.INFO)], "ready", id="an ambiguous string need not be"),
        pytest.param([make.failure(risk=Risk.INFO)], "manual", id="not analysed"),
        pytest.param([make.manual(), make.blocker()], "blocked", id="the worst wins"),
        pytest.param([make.blocker(fix="safe")], "auto", id="a fixed blocker does not block"),
        pytest.param([make.blocker(advice=True)], "ready", id="advice does not block"),
    ],
)
def test_verdict(findings: list[Finding], verdict: str) -> None:
    assert risk.verdict(findings) == verdict
    assert summarise([make.result(*findings), make.result(path="b.py")]).verdict == verdict


def test_the_worst_file_gives_the_verdict_of_the_whole() -> None:
    results = [make.result(make.finding()), make.result(make.manual()), make.result()]
    assert summarise(results).verdict == "manual"


@pytest.mark.parametrize(("failed", "verdict"), [(True, "manual"), (False, "ready")])
def test_only_what_could_not_be_read_needs_a_person(failed: bool, verdict: str) -> None:
    assert summarise([make.result()], [Skip("x", "why", failed)]).verdict == verdict


@pytest.mark.parametrize(
    ("findings", "effort"),
    [
        pytest.param([], "none", id="nothing"),
        pytest.param([make.finding(effort="high")], "none", id="fixed"),
        pytest.param([make.note(effort="high")], "none", id="to know"),
        pytest.param([make.advice(effort="high")], "none", id="advice"),
        pytest.param([make.manual(effort="low"), make.manual(effort="medium")], "medium", id="max"),
        pytest.param([make.unsafe(effort="medium")], "medium", id="unsafe"),
        pytest.param([make.manual(effort="low")] * risk.MANY, "low", id="not yet many"),
        pytest.param([make.manual(effort="low")] * (risk.MANY + 1), "medium", id="many"),
        pytest.param([make.manual(effort="high")] * (risk.MANY + 1), "high", id="at most high"),
    ],
)
def test_effort(findings: list[Finding], effort: str) -> None:
    assert risk.effort(findings) == effort


def test_counts() -> None:
    results = [
        make.result(make.finding(), make.unsafe(), make.blocker(), make.advice(), make.advice()),
        make.result(make.note(confidence="unverified"), make.failure(), path="b.py", failed=True),
        make.result(path="c.py"),
    ]
    summary = summarise(results)
    assert (summary.files_scanned, summary.files_with_findings, summary.files_failed) == (3, 2, 1)
    assert summary.counts == Counts(safe=1, unsafe=1, by_hand=2, note=1)
    assert summary.by_risk == {
        Risk.BREAKS: Counts(safe=1, by_hand=2),
        Risk.CPU: Counts(unsafe=1),
        Risk.INFO: Counts(note=1),
    }
    assert {family: counts.total for family, counts in summary.by_family.items()} == {
        "tool": 1,
        "device": 3,
        "libraries": 1,
    }
    assert summary.advice == {"NM210": 2}
    assert summary.unverified == {"NM101": 1}
    assert [finding.code for finding in summary.blockers] == ["NM701"]
    assert [finding.code for finding in summary.failed] == ["NM000"]


def test_files_with_most_left_come_first() -> None:
    results = [
        make.result(make.finding(), path="auto.py"),
        make.result(make.manual(), path="low.py"),
        make.result(make.manual(), make.manual(), path="low-twice.py"),
        make.result(make.manual(effort="high"), path="high.py"),
        make.result(make.blocker(), path="blocked.py"),
        make.result(path="ready.py"),
    ]
    paths = [row.path for row in summarise(results).rows]
    assert paths == ["blocked.py", "high.py", "low-twice.py", "low.py", "auto.py"]
