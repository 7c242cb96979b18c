"""A rehearsal that was kept, in the HTML report of a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neuron_migrate.rehearse.recording import write
from tests.rehearsal.factory import operator, raised, recording
from tests.report.html import pages

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Runner


@pytest.fixture
def kept(project: Path) -> Path:
    (project / "a.py").write_text('x = "cuda"\n')
    outcome = raised("RuntimeError", "no")
    write(recording(operator("aten::relu", (2, 3)), outcome=outcome), project / "kept")
    return project / "kept"


@pytest.mark.parametrize("command", ["check", "fix"])
def test_it_is_a_section_of_the_page(cli: Runner, kept: Path, command: str) -> None:
    run = cli(command, "--output-format", "html", "--rehearsal", str(kept), "a.py")
    tree = pages.parsed(run.text)
    section = tree.find(".//section[@class='rehearsal']")
    words = " ".join("".join(section.itertext()).split())
    assert "A simulation on the CPU, not a run on Trainium." in words
    assert "RuntimeError: no" in words
    assert "1 compilation, 2 seconds to 60 seconds." in words
    assert tree.find(".//nav//a[@href='#rehearsal']") is not None
    assert pages.rows(run.text)


@pytest.mark.usefixtures("kept")
def test_mistakes(cli: Runner, project: Path) -> None:
    (project / "odd").mkdir()
    (project / "odd" / "script-1.msgpack").write_bytes(b"odd")
    html = ("--output-format", "html")
    for arguments, message in (
        (("--rehearsal", "kept"), "goes into a report of --output-format html"),
        ((*html, "--rehearsal", "away"), "no recording in away: neuron-migrate rehearse"),
        ((*html, "--rehearsal", "odd"), "cannot read odd"),
    ):
        run = cli("check", *arguments, "a.py")
        assert run.status == 2
        assert message in run.err
