"""What .ci/run does where a browser and shells are missing, on stubs of all it calls."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.ci.command import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = ROOT / ".ci/run"
PACKAGES = "chromium chromium-driver zsh fish"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """The folder of all commands there are: each writes down how it was called."""
    for name in ("bash", "dirname"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    stub(tmp_path, "make")
    return tmp_path


def stub(machine: Path, name: str, then: str = "exit 0") -> None:
    (machine / name).write_text(f'#!{shutil.which("bash")}\necho "{name} $*" >>"$CALLS"\n{then}\n')
    (machine / name).chmod(0o755)


def run(machine: Path) -> tuple[int, list[str], str]:
    """The exit status, the calls and what was said on standard error."""
    calls = machine / "calls"
    done = subprocess.run(
        ["bash", str(SCRIPT)],
        env={"PATH": str(machine), "CALLS": str(calls)},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, calls.read_text().splitlines(), done.stderr


def with_apt(machine: Path, user: int = 0, then: str = "exit 0") -> None:
    stub(machine, "apt-get", then)
    stub(machine, "id", f"echo {user}")
    stub(machine, "timeout", 'shift; exec "$@"')


CHECKS = ["make lint", "make types", "make wheel", "make test"]


def apt_calls(calls: list[str]) -> list[str]:
    return [call for call in calls if call.startswith("apt-get")]


def test_what_is_missing_is_installed(machine: Path) -> None:
    with_apt(machine)
    status, calls, said = run(machine)
    assert (status, said, calls[-4:]) == (0, "", CHECKS)
    assert apt_calls(calls)[-1].endswith(f" {PACKAGES}")


def test_what_is_there_is_not(machine: Path) -> None:
    with_apt(machine)
    for name in ("chromium", "chromedriver", "zsh"):
        stub(machine, name)
    assert apt_calls(run(machine)[1])[-1].endswith(" --no-install-recommends fish")
    stub(machine, "fish")
    (machine / "calls").unlink()
    assert run(machine) == (0, CHECKS, "")


@pytest.mark.parametrize("apt", [None, {"user": 1000}, {"then": "exit 100"}])
def test_what_cannot_be_installed_is_said_and_the_rest_goes_on(
    machine: Path, apt: dict[str, object] | None
) -> None:
    if apt is not None:
        with_apt(machine, **apt)  # type: ignore[arg-type]
    status, calls, said = run(machine)
    assert (status, calls[-4:]) == (0, CHECKS)
    assert said == f".ci/run: cannot install {PACKAGES}: the tests that need them are skipped\n"


def test_a_check_that_fails_does_not_keep_the_tests_from_running(machine: Path) -> None:
    stub(machine, "make", '[ "$1" != lint ]')
    status, calls, _ = run(machine)
    assert (status, calls) == (1, CHECKS)


def test_the_script_can_be_run() -> None:
    assert os.access(SCRIPT, os.X_OK)
