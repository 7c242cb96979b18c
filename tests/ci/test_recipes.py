"""The recipes of docs/ci: against the schemas of their services, and their scripts run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.ci.command import ROOT, install
from tests.ci.conftest import NEW, OLD, git

if TYPE_CHECKING:
    from pathlib import Path

yaml = pytest.importorskip("yaml")

DOCS = ROOT / "docs/ci"
PINNED = "your-org/neuron-migrate@v0.1.0"


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("vendor.github-actions", "action.yml"),
        ("vendor.github-workflows", "docs/ci/github-workflow.yml"),
        ("vendor.gitlab-ci", "docs/ci/gitlab-ci.yml"),
    ],
)
def test_valid_by_the_schema_of_its_service(schema: str, name: str) -> None:
    pytest.importorskip("check_jsonschema")
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, ROOT / name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_workflow_gives_the_action_inputs_it_has() -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    workflow = yaml.safe_load((DOCS / "github-workflow.yml").read_text())
    used = [
        step.get("with", {})
        for job in workflow["jobs"].values()
        for step in job["steps"]
        if step.get("uses") == PINNED
    ]
    assert len(used) == 2
    assert all(set(inputs) <= set(action["inputs"]) for inputs in used)
    scripts = [
        step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step
    ]
    assert not any("${{" in script for script in scripts)


def _run(script: str, folder: Path, *arguments: str, **variables: str) -> int:
    """The exit status of a script whose PATH holds the command."""
    commands = folder.parent / "bin"
    install(commands)
    (commands / "curl").write_text('#!/bin/sh\nprintf "%s\\n" "$@" >"$CURL"\n')
    (commands / "curl").chmod(0o755)
    environment = {
        **os.environ,
        **variables,
        "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}",
        "CURL": str(folder.parent / "curl"),
    }
    command = ["sh", "-c", script, "sh", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def _gitlab(job: str, part: str) -> str:
    """What GitLab's runner makes of a list of commands: the first that fails ends it."""
    jobs: dict[str, Any] = yaml.safe_load((DOCS / "gitlab-ci.yml").read_text())
    return "set -e\n" + "\n".join(jobs[job][part])


def _quality(folder: Path) -> list[tuple[str, int]]:
    issues = json.loads((folder / "neuron-migrate.json").read_bytes())
    return [(each["check_name"], each["location"]["lines"]["begin"]) for each in issues]


def test_gitlab_reports_all_of_the_default_branch(project: Path) -> None:
    assert _run(_gitlab("neuron-migrate", "script"), project) == 0
    assert _quality(project) == [("NM101", 3)]
    assert "NM101" in (project / "neuron-migrate.md").read_text()


@pytest.mark.parametrize(("text", "status", "lines"), [(OLD, 0, []), (NEW, 1, [("NM103", 4)])])
def test_gitlab_fails_a_merge_request_for_what_is_new(
    project: Path, text: str, status: int, lines: list[tuple[str, int]]
) -> None:
    base = git(project, "rev-parse", "HEAD")
    git(project, "remote", "add", "origin", str(project))
    (project / "a.py").write_text(text)
    script = _gitlab("neuron-migrate-new", "script")
    assert _run(script, project, CI_MERGE_REQUEST_DIFF_BASE_SHA=base) == status
    assert _quality(project) == lines


def test_gitlab_writes_a_note_where_it_may(project: Path) -> None:
    (project / "neuron-migrate.md").write_text("report\n")
    script = _gitlab("neuron-migrate-new", "after_script")
    assert _run(script, project, NEURON_MIGRATE_TOKEN="") == 0
    assert not (project.parent / "curl").exists()
    place = {"CI_API_V4_URL": "https://x/api/v4", "CI_PROJECT_ID": "7"}
    token = {"NEURON_MIGRATE_TOKEN": "secret", "CI_MERGE_REQUEST_IID": "5"}
    assert _run(script, project, **place, **token) == 0
    said = (project.parent / "curl").read_text().splitlines()
    assert said[-3:] == [
        "--form",
        "body=<neuron-migrate.md",
        "https://x/api/v4/projects/7/merge_requests/5/notes",
    ]


@pytest.mark.parametrize(("text", "status", "count"), [(OLD, 0, 0), (NEW, 1, 1)])
def test_any_other_ci(project: Path, text: str, status: int, count: int) -> None:
    git(project, "switch", "-qc", "topic")
    (project / "a.py").write_text(text)
    script = (DOCS / "check.sh").read_text()
    assert _run(script, project, "main") == status
    (run,) = json.loads((project / "neuron-migrate.sarif").read_bytes())["runs"]
    assert len(run["results"]) == count
    assert (project / "neuron-migrate.md").exists()


def test_any_other_ci_without_a_revision_or_with_a_wrong_one(project: Path) -> None:
    script = (DOCS / "check.sh").read_text()
    assert _run(script, project) == 1
    assert _run(script, project, "no-such-revision") == 2
