"""What formats for other programs have in common."""

from __future__ import annotations

import msgspec
import pytest

from neuron_migrate.finding import Finding, Risk
from neuron_migrate.report import levels
from neuron_migrate.report.located import Located, Region, fingerprints, full_message
from tests.report import factory as make


def at(finding: Finding, line: str = 'x.to("cuda")') -> Located:
    region = Region(finding.line, finding.column, finding.end_line, finding.end_column)
    return Located(finding=finding, region=region, line=line)


@pytest.mark.parametrize(
    ("moved", "same"),
    [
        pytest.param(at(make.finding(line=90, end_line=90)), True, id="another line"),
        pytest.param(at(make.finding(column=1)), True, id="another column"),
        pytest.param(at(make.finding(), '    x.to("cuda")  '), True, id="indented"),
        pytest.param(at(make.finding(message="Reworded.")), True, id="another message"),
        pytest.param(at(make.finding(cell=4)), True, id="another cell"),
        pytest.param(at(make.finding(), 'y.to("cuda")'), False, id="other code"),
        pytest.param(at(make.finding(path="b.py")), False, id="another file"),
        pytest.param(at(make.finding(code="NM102")), False, id="another rule"),
    ],
)
def test_what_a_fingerprint_survives(moved: Located, same: bool) -> None:
    assert (fingerprints([moved]) == fingerprints([at(make.finding())])) is same


def test_no_two_findings_have_the_same_fingerprint() -> None:
    twice = [at(make.finding()), at(make.finding(line=9)), at(make.finding(line=9, column=20))]
    names = fingerprints(twice)
    assert len(set(names)) == 3
    assert fingerprints(twice[:2]) == names[:2]


def test_without_its_line_a_finding_is_known_by_its_message() -> None:
    one, other = at(make.finding(), ""), at(make.finding(message="Other."), "")
    assert fingerprints([one]) != fingerprints([other])
    assert fingerprints([one]) == fingerprints([at(make.finding(line=7), "")])


def test_a_path_of_any_bytes_has_a_fingerprint() -> None:
    assert len(fingerprints([at(make.finding(path="\udcff.py"))])[0]) == 32


def test_a_message_says_why_there_is_no_fix_once() -> None:
    assert full_message(make.manual(message="a\n b.")) == "a b. Not fixed: it is built at run time."
    assert full_message(make.manual(message="a, it is built at run time.")) == (
        "a, it is built at run time."
    )


@pytest.mark.parametrize(
    ("risk", "level"),
    [
        (Risk.BREAKS, "error"),
        (Risk.WRONG, "error"),
        (Risk.CPU, "warning"),
        (Risk.RECOMPILES, "warning"),
        (Risk.SLOW, "warning"),
        (Risk.INFO, "note"),
    ],
)
def test_levels(risk: Risk, level: str) -> None:
    finding = make.finding(risk=risk)
    assert levels.of(finding) == level
    assert levels.of(msgspec.structs.replace(finding, advice=True)) == "note"
