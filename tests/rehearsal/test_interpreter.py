"""Without a torch that the device knows there is one clear line."""

from __future__ import annotations

import pytest

from neuron_migrate.doctor import packages
from neuron_migrate.doctor.packages import Distribution, Environment
from neuron_migrate.errors import UsageError
from neuron_migrate.rehearsal.interpreter import interpreter


def installed(monkeypatch: pytest.MonkeyPatch, **versions: str) -> None:
    found = Environment(
        executable="/venv/bin/python",
        prefix="/venv",
        version="3.11.7",
        implementation="cpython",
        distributions=tuple(Distribution(name, version) for name, version in versions.items()),
    )
    monkeypatch.setattr(packages, "look", lambda _: found)


def test_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, msgspec="0.19")
    with pytest.raises(UsageError, match=r"neuron-migrate\[rehearse\]"):
        interpreter(None)


@pytest.mark.parametrize("version", ["2.10.1", "2.16.0", "1.13.1+cu117", "nightly"])
def test_an_unknown_torch(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    installed(monkeypatch, torch=version, msgspec="0.19")
    with pytest.raises(UsageError, match=r"2\.11 to 2\.15"):
        interpreter(None)


@pytest.mark.parametrize("version", ["2.11.0", "2.13.0+cpu", "2.15.2"])
def test_a_known_torch(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    installed(monkeypatch, Torch=version, msgspec="0.19")
    assert interpreter(None) == "/venv/bin/python"


def test_nothing_to_record_with(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, torch="2.13.0")
    with pytest.raises(UsageError, match="has no msgspec"):
        interpreter(None)
