"""The composite action: against GitHub's schema, and its scripts run as a runner runs them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.ci.command import ROOT, install
from tests.ci.conftest import NEW, OLD, git

yaml = pytest.importorskip("yaml")

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Job:
    """A runner's folders and files, and the inputs of one use of the action."""

    def __init__(self, folder: Path, project: Path) -> None:
        self.project = project
        self.temp = folder / "runner temp"
        self.temp.mkdir()
        self.output = folder / "output"
        self.summary = folder / "summary"
        self._known: dict[str, str] = {
            f"inputs.{name}": each["default"] for name, each in ACTION["inputs"].items()
        }
        self._known["github.action_path"] = str(ROOT)
        self._known["steps.python.outputs.python-path"] = sys.executable

    def given(self, **inputs: str) -> Job:
        for name, value in inputs.items():
            key = f"inputs.{name.replace('_', '-')}"
            assert key in self._known
            self._known[key] = value
        return self

    def run(self, name: str) -> subprocess.CompletedProcess[str]:
        """One step with a script; afterwards its outputs are known to those that follow."""
        (step,) = (step for step in STEPS if step["name"] == name)
        script = self.temp / "script.sh"
        script.write_text(step["run"])
        environment = {key: self._filled(value) for key, value in step["env"].items()}
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=self.project / self._filled(step.get("working-directory", ".")),
            env={
                **{key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_OUTPUT": str(self.output),
                "GITHUB_STEP_SUMMARY": str(self.summary),
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        for line in self.output.read_text().splitlines() if self.output.exists() else ():
            key, _, value = line.partition("=")
            self._known[f"steps.{step.get('id')}.outputs.{key}"] = value
        return done

    def outputs(self) -> dict[str, str]:
        return {name: self._filled(each["value"]) for name, each in ACTION["outputs"].items()}

    def _filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda found: self._known[found[1]], text)


@pytest.fixture
def job(tmp_path: Path, project: Path) -> Job:
    """A job whose install step is done."""
    job = Job(tmp_path, project)
    install(job.temp / "neuron-migrate/venv/bin")
    return job


def found(sarif: str) -> list[tuple[str, str, int]]:
    """Rule, file and line of each result."""
    (run,) = json.loads(Path(sarif).read_bytes())["runs"]
    places = [(each["ruleId"], each["locations"][0]["physicalLocation"]) for each in run["results"]]
    return [
        (rule, place["artifactLocation"]["uri"], place["region"]["startLine"])
        for rule, place in places
    ]


def test_findings_fail_the_job_after_they_are_uploaded(job: Job) -> None:
    done = job.run("Check")
    assert done.returncode == 0, done.stderr
    outputs = job.outputs()
    assert found(outputs["sarif"]) == [("NM101", "a.py", 3)]
    assert outputs["status"] == "1"
    assert "a.py" in done.stdout
    report = Path(outputs["report"]).read_text()
    assert report.startswith("### neuron-migrate")
    assert job.summary.read_text() == report
    assert job.run("Fail for findings").returncode == 1


def test_clean_code_passes(job: Job) -> None:
    (job.project / "a.py").write_text(OLD.replace("cuda", "neuron"))
    assert job.run("Check").returncode == 0
    assert found(job.outputs()["sarif"]) == []
    assert job.run("Fail for findings").returncode == 0


def test_the_inputs_reach_the_command(job: Job) -> None:
    base = git(job.project, "rev-parse", "HEAD")
    (job.project / "a.py").write_text(NEW)
    (job.project / "b c.py").write_text(OLD)
    (job.project / "d.py").write_text(OLD)
    git(job.project, "add", "-A")
    job.given(diff_base=base, paths="a.py\nb c.py\n", args=" --select  NM1\n --no-cache ")
    job.run("Check")
    assert found(job.outputs()["sarif"]) == [("NM103", "a.py", 4), ("NM101", "b%20c.py", 3)]


def test_target_release_and_risk(job: Job) -> None:
    (job.project / "a.py").write_text("import torch\ntorch.backends.cudnn.benchmark = True\n")
    job.given(target="accelerator", sdk="2.32").run("Check")
    assert job.outputs()["status"] == "0"
    assert "`accelerator`, Neuron SDK 2.32" in job.summary.read_text()
    job.given(fail_on="info").run("Check")
    assert job.outputs()["status"] == "1"


def test_another_folder(job: Job) -> None:
    (job.project / "sub").mkdir()
    job.given(working_directory="sub").run("Check")
    assert job.outputs()["status"] == "0"


def test_a_mistake_ends_the_job_before_anything_is_uploaded(job: Job) -> None:
    done = job.given(target="gpu").run("Check")
    assert done.returncode == 2
    assert "gpu" in done.stderr
    assert not job.output.exists()


NAMES = ("paths", "target", "sdk", "fail_on", "diff_base", "args")


@pytest.mark.parametrize("text", ["$(touch pwned)", '"; touch pwned; "', "'; touch pwned #", "*"])
def test_no_input_is_run(job: Job, text: str) -> None:
    before = sorted(job.project.iterdir())
    assert job.given(**dict.fromkeys(NAMES, text)).run("Check").returncode == 2
    assert sorted(job.project.iterdir()) == before


def test_no_script_holds_an_expression() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 3
    assert not any("${{" in script for script in scripts)


def test_the_upload_can_be_switched_off() -> None:
    names = [step["name"] for step in STEPS]
    upload = names.index("Upload to code scanning")
    assert names[upload - 1 :: 2] == ["Check", "Fail for findings"]
    assert STEPS[upload]["if"] == "inputs.upload-sarif == 'true'"


def test_a_repository_cannot_put_its_code_in_the_place_of_ours(job: Job) -> None:
    for name in ("neuron_migrate", "typer", "json"):
        (job.project / f"{name}.py").write_text("raise SystemExit('pwned')\n")
    job.run("Check")
    assert found(job.outputs()["sarif"]) == [("NM101", "a.py", 3)]


@pytest.mark.wheel
def test_the_action_installs_its_own_checkout(tmp_path: Path, project: Path) -> None:
    job = Job(tmp_path, project)
    done = job.run("Install neuron-migrate")
    assert done.returncode == 0, done.stderr
    assert job.run("Check").returncode == 0
    assert found(job.outputs()["sarif"]) == [("NM101", "a.py", 3)]
